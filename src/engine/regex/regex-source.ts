import {
  type CharacterSet,
  complement,
  MAX_CODE_POINT,
  singleCharacter,
} from '../../language/regex/character-set.ts';
import { type RegexAssertion, type RegexNode, someNode } from '../../language/regex/regex-syntax.ts';

/** A regular expression in JavaScript's syntax, for the flag `u`. */
export interface JavaScriptRegex {
  readonly source: string;
  readonly flags: string;
  /** The index of each group in a match; `undefined` if they are in order. */
  readonly places: readonly number[] | undefined;
}

export function printJavaScript(root: RegexNode): JavaScriptRegex {
  const multiline = someNode(
    root,
    (node) => node.kind === 'Assertion' && (node.assertion === 'lineStart' || node.assertion === 'lineEnd'),
  );
  const ignoreCase = someNode(root, (node) => node.kind === 'Reference' && node.ignoreCase);
  const printer = new RegexPrinter(multiline);
  const source = printer.print(root);
  return { source, flags: `u${multiline ? 'm' : ''}${ignoreCase ? 'i' : ''}`, places: printer.places };
}

class RegexPrinter {
  readonly #assertions: Readonly<Record<RegexAssertion, string>>;
  readonly #places: number[] = [0];
  #groups = 0;
  #isShifted = false;

  constructor(multiline: boolean) {
    this.#assertions = {
      lineStart: '^',
      lineEnd: '$',
      textStart: multiline ? '(?<![^])' : '^',
      textEnd: multiline ? '(?![^])' : '$',
      wordBoundary: '\\b',
      noWordBoundary: '\\B',
    };
  }

  get places(): readonly number[] | undefined {
    return this.#isShifted ? this.#places : undefined;
  }

  print(node: RegexNode): string {
    switch (node.kind) {
      case 'Set':
        return this.#printSet(node.set);
      case 'Sequence':
        return node.items.map((item) => this.#printItem(item)).join('');
      case 'Alternation':
        return node.options.map((option) => this.print(option)).join('|');
      case 'Group':
        if (node.index === undefined) return `(?:${this.print(node.body)})`;
        this.#places[node.index] = ++this.#groups;
        return `(${this.print(node.body)})`;
      case 'Repeat':
        return this.#printRepeat(node);
      case 'Assertion':
        return this.#assertions[node.assertion];
      case 'Look':
        return `(${node.opening}${this.print(node.body)})`;
      case 'Atomic':
        return this.#printAtomic(node.body);
      case 'Reference':
        return `(?:\\${this.#places[node.index]})`;
    }
  }

  #printItem(node: RegexNode): string {
    return node.kind === 'Alternation' ? `(?:${this.print(node)})` : this.print(node);
  }

  /** Emulates an atomic group: a look-ahead never backtracks, and the reference then consumes its match. */
  #printAtomic(body: RegexNode): string {
    this.#isShifted = true;
    const place = ++this.#groups;
    return `(?:(?=(${this.print(body)}))\\${place})`;
  }

  #printRepeat({ body, min, max, isLazy }: RegexNode & { kind: 'Repeat' }): string {
    const isAtom = body.kind === 'Set' || body.kind === 'Group';
    const text = isAtom ? this.print(body) : `(?:${this.print(body)})`;
    return `${text}${printQuantifier(min, max)}${isLazy ? '?' : ''}`;
  }

  #printSet(set: CharacterSet): string {
    const single = singleCharacter(set);
    if (single !== undefined) return this.#printCharacter(single);
    const { ranges, properties, negated } = set;
    if (properties.length > 0) return `[${negated ? '^' : ''}${this.#printMembers(set)}]`;
    const [first] = ranges;
    if (first === undefined) return '[]';
    const reachesEnd = ranges.at(-1)?.[1] === MAX_CODE_POINT;
    if (ranges.length === 1 && first[0] === 0 && reachesEnd) return '[^]';
    // A negated class is shorter if the set contains the last code point.
    return reachesEnd ? `[^${this.#printMembers(complement(set))}]` : `[${this.#printMembers(set)}]`;
  }

  #printMembers({ ranges, properties }: CharacterSet): string {
    const written = ranges.map(([from, to]) =>
      from === to ? this.#printCharacter(from) : `${this.#printCharacter(from)}-${this.#printCharacter(to)}`,
    );
    return [...written, ...properties.map((name) => `\\${name}`)].join('');
  }

  #printCharacter(code: number): string {
    const character = String.fromCodePoint(code);
    return /[A-Za-z0-9 _"'=<>,;:@%&~`]/.test(character) ? character : `\\u{${code.toString(16)}}`;
  }
}

function printQuantifier(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
