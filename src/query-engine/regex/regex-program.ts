import type { CharacterSet } from '../../query-language/regex/character-set.ts';
import {
  canBeEmpty,
  hasGroups,
  type RegexAssertion,
  type RegexNode,
} from '../../query-language/regex/regex-syntax.ts';
import { printJavaScript } from './regex-source.ts';

/** What a step does at a position. Each but `accept` continues at `next`. */
export type Action =
  | 'accept'
  | 'set'
  | 'split'
  | 'loop'
  | 'save'
  | 'turn'
  | 'assert'
  | 'look'
  | 'atomic'
  | 'reference';

/** A step of a program. Steps are linked, because most are shared by several paths. */
export interface Step {
  readonly action: Action;
  /** Its index in the program. */
  readonly id: number;
  next: Step;
  /** `split`, `loop`: its number among these. */
  readonly choice: number;
  /** `split`, `turn`: the second choice. `look`, `atomic`: the start of the body, which ends with an `accept`. */
  other: Step;
  /** Whether it reads the characters before the position, as look-behind does. */
  readonly isBackward: boolean;
  /** `look`: must not match. `reference`: ignores case. `save`: is a first turn. */
  readonly isOn: boolean;
  /** `save`, `turn`: index of the position to keep or compare. `reference`: the group. */
  readonly slot: number;
  /** `loop`: maximum number of characters. */
  readonly max: number;
  /** `set`, `loop`: whether a code point is in the set. */
  readonly has: (code: number) => boolean;
  /** `assert`: whether the position is right. */
  readonly holds: (text: string, position: number) => boolean;
  /** `look`, `atomic`: whether the body keeps no positions. */
  readonly isPure: boolean;
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
  const start = linker.link(root, linker.add('accept'), false);
  const { steps, slots, choices } = linker;
  return steps.length > MAX_STEPS ? undefined : { start, steps, slots, choices };
}

/** Links the steps of a node from its end to its start. */
class Linker {
  readonly steps: Step[] = [];
  readonly #sets = new Map<string, Step['has']>();
  choices = 0;
  slots: number;

  constructor(slots: number) {
    this.slots = slots;
  }

  add(action: Action, next?: Step, more: Partial<Step> = {}): Step {
    const step: Step = {
      action,
      id: this.steps.length,
      choice: action === 'split' || action === 'loop' ? this.choices++ : -1,
      next: undefined as unknown as Step,
      other: undefined as unknown as Step,
      isBackward: false,
      isOn: false,
      slot: 0,
      max: 0,
      has: nothing,
      holds: nothing,
      isPure: false,
    };
    Object.assign(step, { next, ...more });
    this.steps.push(step);
    return step;
  }

  link(node: RegexNode, next: Step, isBackward: boolean): Step {
    if (this.steps.length > MAX_STEPS) return next;
    const before = (inner: RegexNode, after: Step): Step => this.link(inner, after, isBackward);
    switch (node.kind) {
      case 'Set':
        return this.add('set', next, { has: this.#test(node.set), isBackward });
      case 'Sequence':
        return (isBackward ? node.items : node.items.toReversed()).reduce(
          (after, item) => before(item, after),
          next,
        );
      case 'Alternation':
        return node.options
          .map((option) => before(option, next))
          .reduceRight((other, first) => this.add('split', first, { other }));
      case 'Group': {
        if (node.index === undefined) return before(node.body, next);
        const [start, end] = [2 * node.index, 2 * node.index + 1];
        const last = this.add('save', next, { slot: isBackward ? start : end });
        return this.add('save', before(node.body, last), { slot: isBackward ? end : start });
      }
      case 'Repeat':
        return this.#linkRepeat(node, next, isBackward);
      case 'Assertion':
        return this.add('assert', next, { holds: ASSERTIONS[node.assertion] });
      case 'Look':
      case 'Atomic': {
        const looksBack = node.kind === 'Look' ? node.opening.startsWith('?<') : isBackward;
        const { slots } = this;
        const other = this.link(node.body, this.add('accept'), looksBack);
        const isPure = slots === this.slots && !hasGroups(node.body);
        const isOn = node.kind === 'Look' && node.opening.endsWith('!');
        return this.add(node.kind === 'Look' ? 'look' : 'atomic', next, { other, isOn, isPure });
      }
      case 'Reference':
        return this.add('reference', next, { slot: node.index, isOn: node.ignoreCase, isBackward });
    }
  }

  #linkRepeat(node: RegexNode & { kind: 'Repeat' }, next: Step, isBackward: boolean): Step {
    const { body, min, max, isLazy } = node;
    const choice = (turn: Step, end: Step): Step =>
      this.add('split', isLazy ? end : turn, { other: isLazy ? turn : end });
    let first = next;
    let copies = min;
    if (body.kind === 'Set' && !isBackward && !isLazy && max > min) {
      first = this.add('loop', next, { has: this.#test(body.set), max: max - min });
    } else if (max === Number.POSITIVE_INFINITY) {
      first = this.#linkLoop(node, next, isBackward, choice);
      if (canBeEmpty(body)) copies -= 1;
    } else {
      for (let copy = min; copy < max && this.steps.length <= MAX_STEPS; copy++) {
        first = choice(this.link(body, first, isBackward), next);
      }
    }
    for (; copies > 0 && this.steps.length <= MAX_STEPS; copies--) {
      first = this.link(body, first, isBackward);
    }
    return first;
  }

  /** Only the first turn may be empty, and it ends the loop then. */
  #linkLoop(
    { body, min, isLazy }: RegexNode & { kind: 'Repeat' },
    next: Step,
    isBackward: boolean,
    choice: (turn: Step, end: Step) => Step,
  ): Step {
    const again = choice(next, next);
    const slot = canBeEmpty(body) ? this.slots++ : undefined;
    const end = slot === undefined ? again : this.add('turn', again, { other: next, slot });
    const start = this.link(body, end, isBackward);
    again[isLazy ? 'other' : 'next'] = slot === undefined ? start : this.add('save', start, { slot });
    if (slot === undefined) return again;
    const first = this.add('save', start, { slot, isOn: true });
    return min === 0 ? choice(first, next) : first;
  }

  /** A test of code points. Those of Latin script are looked up in a table. */
  #test(set: CharacterSet): Step['has'] {
    const { source } = printJavaScript({ kind: 'Set', set });
    let has = this.#sets.get(source);
    if (has === undefined) {
      const regex = new RegExp(`^${source}$`, 'u');
      const table = Array.from({ length: 256 }, (_, code) => regex.test(String.fromCharCode(code)));
      has = (code) => table[code] ?? regex.test(String.fromCodePoint(code));
      this.#sets.set(source, has);
    }
    return has;
  }
}

function nothing(): boolean {
  return false;
}

const ASSERTIONS: Readonly<Record<RegexAssertion, Step['holds']>> = {
  textStart: (_, position) => position === 0,
  textEnd: (text, position) => position === text.length,
  lineStart: (text, position) => position === 0 || isLineBreak(text.charCodeAt(position - 1)),
  lineEnd: (text, position) => position === text.length || isLineBreak(text.charCodeAt(position)),
  wordBoundary: (text, position) => isWord(text, position - 1) !== isWord(text, position),
  noWordBoundary: (text, position) => isWord(text, position - 1) === isWord(text, position),
};

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

function isWord(text: string, position: number): boolean {
  return /\w/.test(text[position] ?? '');
}
