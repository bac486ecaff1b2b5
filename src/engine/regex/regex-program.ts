import type { CharacterSet } from '../../language/regex/character-set.ts';
import {
  canBeEmpty,
  hasGroups,
  type RegexAssertion,
  type RegexNode,
} from '../../language/regex/regex-syntax.ts';
import { printJavaScript } from './regex-source.ts';

/** A search in one string. */
export interface Search {
  readonly text: string;
  /** The positions that steps keep. */
  readonly slots: Int32Array;
  /** The end of the match of a part that gives nothing back, {@link FAILED} or {@link UNDECIDED}. */
  matchPart(first: Step, position: number, isPure: boolean): number;
  /** Compares text; what follows depends on more than the position. */
  compare(one: string, other: string, ignoreCase: boolean): boolean;
}

/** Results that are not positions. */
export const FAILED = -1;
export const UNDECIDED = -2;

/** A step of a program. Steps are linked, because several paths share them. */
export interface Step {
  /** `split`: continues at `next` or, if that fails, at `other`. `turn`: an empty turn of a loop continues at `other`. */
  readonly action: 'accept' | 'move' | 'split' | 'loop' | 'save' | 'turn';
  /** Its index in the program. */
  readonly id: number;
  next: Step;
  other: Step;
  /** `split`, `loop`: its number among these. */
  readonly choice: number;
  /** `save`, `turn`: index of the position to keep or compare. */
  readonly slot: number;
  /** `move`, `loop`: the position after the step, or after one turn. */
  readonly move: (search: Search, position: number) => number;
  /** `loop`: maximum number of turns. */
  readonly max: number;
}

export interface Program {
  readonly start: Step;
  readonly steps: readonly Step[];
  /** Number of `split` and `loop` steps. */
  readonly choices: number;
  /** Number of positions to keep: two per group, and one per loop whose body can be empty. */
  readonly slots: number;
}

/** Copies of repeated groups can multiply. */
const MAX_STEPS = 20_000;

/** The program of an expression; `undefined` if it is too long. */
export function programOf(root: RegexNode, groupCount: number): Program | undefined {
  const linker = new Linker(2 * (groupCount + 1));
  const start = linker.link(root, linker.add('accept'));
  const { steps, slots, choices } = linker;
  return steps.length > MAX_STEPS ? undefined : { start, steps, slots, choices };
}

/** Links the steps of a node from its end to its start. */
class Linker {
  readonly steps: Step[] = [];
  readonly #tests = new Map<string, (code: number) => boolean>();
  choices = 0;
  slots: number;
  /** Whether the steps read the characters before the position, as look-behind does. */
  #isBackward = false;

  constructor(slots: number) {
    this.slots = slots;
  }

  add(action: Step['action'], next?: Step, more: Partial<Step> = {}): Step {
    const choice = action === 'split' || action === 'loop' ? this.choices++ : -1;
    const none = undefined as unknown as Step;
    const step = { action, id: this.steps.length, choice, next: next ?? none, other: none, slot: 0, max: 0 };
    this.steps.push({ ...step, move: (_, position) => position, ...more });
    return this.steps.at(-1)!;
  }

  link(node: RegexNode, next: Step): Step {
    if (this.steps.length > MAX_STEPS) return next;
    switch (node.kind) {
      case 'Set':
        return this.add('move', next, { move: this.#reader(node.set) });
      case 'Sequence':
        return (this.#isBackward ? node.items : node.items.toReversed()).reduce(
          (after, item) => this.link(item, after),
          next,
        );
      case 'Alternation':
        return node.options
          .map((option) => this.link(option, next))
          .reduceRight((other, first) => this.add('split', first, { other }));
      case 'Group': {
        if (node.index === undefined) return this.link(node.body, next);
        const slots = [2 * node.index, 2 * node.index + 1];
        const [first, last] = this.#isBackward ? slots.reverse() : slots;
        const end = this.add('save', next, { slot: last! });
        return this.add('save', this.link(node.body, end), { slot: first! });
      }
      case 'Repeat':
        return this.#linkRepeat(node, next);
      case 'Assertion':
        return this.#linkAssertion(ASSERTIONS[node.assertion], next);
      case 'Look':
      case 'Atomic':
        return this.#linkPart(node, next);
      case 'Reference':
        return this.add('move', next, { move: this.#referenceReader(node.index, node.ignoreCase) });
    }
  }

  #linkAssertion(holds: Assertion, next: Step): Step {
    return this.add('move', next, {
      move: ({ text }, position) => (holds(text, position) ? position : FAILED),
    });
  }

  #linkRepeat({ body, min, max, isLazy }: RegexNode & { kind: 'Repeat' }, next: Step): Step {
    const choice = (turn: Step, end: Step): Step =>
      this.add('split', isLazy ? end : turn, { other: isLazy ? turn : end });
    let first = next;
    if (body.kind === 'Set' && !this.#isBackward && !isLazy && max > min) {
      first = this.add('loop', next, { move: this.#reader(body.set), max: max - min });
    } else if (max === Number.POSITIVE_INFINITY) {
      first = choice(next, next);
      const slot = canBeEmpty(body) ? this.slots++ : undefined;
      const end = slot === undefined ? first : this.add('turn', first, { other: next, slot });
      const turn = this.link(body, end);
      first[isLazy ? 'other' : 'next'] = slot === undefined ? turn : this.add('save', turn, { slot });
    } else {
      for (let copy = min; copy < max && this.steps.length <= MAX_STEPS; copy++) {
        first = choice(this.link(body, first), next);
      }
    }
    for (let copy = 0; copy < min && this.steps.length <= MAX_STEPS; copy++) first = this.link(body, first);
    return first;
  }

  /** Look-around, and atomic groups. */
  #linkPart(node: RegexNode & { kind: 'Look' | 'Atomic' }, next: Step): Step {
    const [isBackward, slots] = [this.#isBackward, this.slots];
    const opening = node.kind === 'Look' ? node.opening : '';
    if (opening !== '') this.#isBackward = opening.startsWith('?<');
    const first = this.link(node.body, this.add('accept'));
    this.#isBackward = isBackward;
    const isPure = slots === this.slots && !hasGroups(node.body);
    const move: Step['move'] = (search, position) => {
      const end = search.matchPart(first, position, isPure);
      if (end === UNDECIDED || opening === '') return end;
      return (end === FAILED) === opening.endsWith('!') ? position : FAILED;
    };
    return this.add('move', next, { move });
  }

  #reader(set: CharacterSet): Step['move'] {
    const has = this.#test(set);
    if (this.#isBackward) {
      return ({ text }, position) => {
        const start = before(text, position);
        return start >= 0 && has(text.codePointAt(start)!) ? start : FAILED;
      };
    }
    return ({ text }, position) => {
      const code = text.codePointAt(position);
      return code !== undefined && has(code) ? after(text, position) : FAILED;
    };
  }

  /** A test of code points. Those of Latin script are looked up in a table. */
  #test(set: CharacterSet): (code: number) => boolean {
    const { source } = printJavaScript({ kind: 'Set', set });
    let has = this.#tests.get(source);
    if (has === undefined) {
      const regex = new RegExp(`^${source}$`, 'u');
      const table = Array.from({ length: 256 }, (_, code) => regex.test(String.fromCharCode(code)));
      has = (code) => table[code] ?? regex.test(String.fromCodePoint(code));
      this.#tests.set(source, has);
    }
    return has;
  }

  /** A group without a value is empty. */
  #referenceReader(group: number, ignoreCase: boolean): Step['move'] {
    const sign = this.#isBackward ? -1 : 1;
    return (search, position) => {
      const [from, to] = [search.slots[2 * group]!, search.slots[2 * group + 1]!];
      const value = from < 0 || to < 0 ? '' : search.text.slice(from, to);
      const end = position + sign * value.length;
      const other = search.text.slice(Math.max(0, Math.min(position, end)), Math.max(position, end));
      return search.compare(value, other, ignoreCase) ? end : FAILED;
    };
  }
}

type Assertion = (text: string, position: number) => boolean;

const ASSERTIONS: Readonly<Record<RegexAssertion, Assertion>> = {
  textStart: (_, position) => position === 0,
  textEnd: (text, position) => position === text.length,
  lineStart: (text, position) => position === 0 || LINE_BREAK.test(text[position - 1]!),
  lineEnd: (text, position) => position === text.length || LINE_BREAK.test(text[position]!),
  wordBoundary: (text, position) => isWord(text, position - 1) !== isWord(text, position),
  noWordBoundary: (text, position) => isWord(text, position - 1) === isWord(text, position),
};

const LINE_BREAK = /[\n\r\u2028\u2029]/;

function isWord(text: string, position: number): boolean {
  return /\w/.test(text[position] ?? '');
}

/** The position before a character, -1 at the start. */
export function before(text: string, position: number): number {
  return position > 1 && (text.codePointAt(position - 2) ?? 0) > 0xffff ? position - 2 : position - 1;
}

/** The position after a character. */
export function after(text: string, position: number): number {
  return position + ((text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1);
}
