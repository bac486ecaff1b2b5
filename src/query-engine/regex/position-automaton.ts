import { ANY_CHARACTER, type CharacterSet, complement, LINE_BREAKS } from './character-set.ts';
import type { RegexNode } from './regex-syntax.ts';

/** Beyond this the ways of an expression are not examined one by one. */
const MAX_POSITIONS = 400;
/** Repetitions up to here are written out; longer ones count as endless. */
const MAX_COPIES = 8;

/** An expression has too many positions to look at. */
export class TooLargeError extends Error {}

/**
 * The positions of the characters in an expression, and which can follow which: an automaton whose states are the
 * characters last read. State 0 stands for what is skipped before a match begins.
 */
export interface PositionAutomaton {
  readonly sets: readonly CharacterSet[];
  /** For each state its successors, with the number of ways to get there from it: 1, or 2 for several. */
  readonly successors: readonly ReadonlyMap<number, number>[];
  /** The states after which nothing else is needed. */
  readonly accepting: ReadonlySet<number>;
  /** A part that can match nothing is repeated a fixed number of times: there are endless ways to share it out. */
  readonly hasEmptyCopies: boolean;
}

type Ways = ReadonlyMap<number, number>;

/** A part of an expression: where it can begin and end, and in how many ways it can be left out. */
interface Part {
  readonly empty: number;
  readonly first: Ways;
  readonly last: Ways;
}

const EMPTY: Part = { empty: 1, first: new Map(), last: new Map() };

/** @throws TooLargeError */
export function positionAutomaton(root: RegexNode): PositionAutomaton {
  return new AutomatonBuilder().build(root);
}

class AutomatonBuilder {
  readonly #sets: CharacterSet[] = [];
  readonly #successors: Map<number, number>[] = [];
  #hasEmptyCopies = false;

  build(root: RegexNode): PositionAutomaton {
    const skipped = this.#position(ANY_CHARACTER);
    const part = this.#read(root);
    this.#connectStart(skipped, part, leadingAssertion(root));
    return {
      sets: this.#sets,
      successors: this.#successors,
      accepting: new Set(hasLateAssertion(root) ? [] : part.last.keys()),
      hasEmptyCopies: this.#hasEmptyCopies,
    };
  }

  /** A search tries every place, unless the expression says where it begins. */
  #connectStart(skipped: number, part: Part, anchor: string | undefined): void {
    if (anchor === 'textStart') {
      this.#connect(itself(skipped), part.first);
      return;
    }
    if (anchor !== 'lineStart') {
      this.#connect(itself(skipped), addWays(itself(skipped), part.first, 1));
      return;
    }
    // Each text leads through these two in one way only.
    const lineBreak = this.#position(LINE_BREAKS);
    const both = addWays(itself(skipped), itself(lineBreak), 1);
    this.#sets[skipped] = complement(LINE_BREAKS);
    this.#connect(both, both);
    this.#connect(itself(lineBreak), part.first);
  }

  #position(set: CharacterSet): number {
    if (this.#sets.length >= MAX_POSITIONS) throw new TooLargeError();
    this.#successors.push(new Map());
    return this.#sets.push(set) - 1;
  }

  #connect(last: Ways, first: Ways): void {
    for (const [from, fromWays] of last) {
      const successors = this.#successors[from]!;
      for (const [to, toWays] of first) {
        successors.set(to, several((successors.get(to) ?? 0) + fromWays * toWays));
      }
    }
  }

  #read(node: RegexNode): Part {
    switch (node.kind) {
      case 'Set': {
        const position = itself(this.#position(node.set));
        return { empty: 0, first: position, last: position };
      }
      case 'Sequence':
        return node.items.reduce((part, item) => this.#join(part, this.#read(item)), EMPTY);
      case 'Alternation':
        return node.options.map((option) => this.#read(option)).reduce(either);
      case 'Group':
      case 'Atomic':
        return this.#read(node.body);
      case 'Repeat':
        return this.#readRepeat(node);
      default:
        return EMPTY;
    }
  }

  #join(left: Part, right: Part): Part {
    this.#connect(left.last, right.first);
    return {
      empty: several(left.empty * right.empty),
      first: addWays(left.first, right.first, left.empty),
      last: addWays(right.last, left.last, right.empty),
    };
  }

  #readRepeat({ body, min, max }: RegexNode & { kind: 'Repeat' }): Part {
    if (max === 0) return EMPTY;
    if (max <= MAX_COPIES) return this.#readCopies(body, min, max);
    const once = this.#read(body);
    this.#hasEmptyCopies ||= once.empty > 0 && min > 1;
    this.#connect(once.last, once.first);
    return min === 0 ? { ...once, empty: several(once.empty + 1) } : once;
  }

  #readCopies(body: RegexNode, min: number, max: number): Part {
    const copy = this.#read(body);
    if (max === 1) return min === 0 ? { ...copy, empty: several(copy.empty + 1) } : copy;
    if (min > 0) return this.#join(copy, this.#readCopies(body, min - 1, max - 1));
    const more = this.#join(copy, this.#readCopies(body, 0, max - 1));
    return { ...more, empty: several(more.empty + 1) };
  }
}

/** More than one way is as bad as many. */
function several(ways: number): number {
  return Math.min(ways, 2);
}

function itself(position: number): Ways {
  return new Map([[position, 1]]);
}

function addWays(ways: Ways, others: Ways, factor: number): Ways {
  if (factor === 0 || others.size === 0) return ways;
  const sum = new Map(ways);
  for (const [position, count] of others)
    sum.set(position, several((sum.get(position) ?? 0) + count * factor));
  return sum;
}

function either(left: Part, right: Part): Part {
  return {
    empty: several(left.empty + right.empty),
    first: addWays(left.first, right.first, 1),
    last: addWays(left.last, right.last, 1),
  };
}

/** `textStart` or `lineStart` when every match begins there. */
function leadingAssertion(node: RegexNode): string | undefined {
  switch (node.kind) {
    case 'Assertion':
      return node.assertion;
    case 'Sequence':
      return node.items[0] && leadingAssertion(node.items[0]);
    case 'Group':
      return leadingAssertion(node.body);
    default:
      return undefined;
  }
}

/** Whether an assertion can still fail after something has been read. */
function hasLateAssertion(node: RegexNode, isFirst = true): boolean {
  switch (node.kind) {
    case 'Assertion':
      return !isFirst;
    case 'Sequence':
      return node.items.some((item, index) => hasLateAssertion(item, isFirst && index === 0));
    case 'Alternation':
      return node.options.some((option) => hasLateAssertion(option, isFirst));
    case 'Group':
    case 'Atomic':
      return hasLateAssertion(node.body, isFirst);
    case 'Repeat':
      return hasLateAssertion(node.body, false);
    default:
      return false;
  }
}
