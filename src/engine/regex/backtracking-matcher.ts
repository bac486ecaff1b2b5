import { ANY_CHARACTER } from '../../language/regex/character-set.ts';
import type { RegexNode } from '../../language/regex/regex-syntax.ts';
import { metered } from '../run/event-cost.ts';
import { firstSet } from './backtracking-limit.ts';
import type { RegexEngine, SearchingRun } from './regex-engine.ts';
import {
  after,
  before,
  FAILED,
  type Program,
  programOf,
  type Search,
  type Step,
  UNDECIDED,
} from './regex-program.ts';
import { printJavaScript } from './regex-source.ts';

/** The match is known: it ends at `#end`. */
const ENDED = -3;
/** What is known of a choice at a position. A larger number is the end of its match, plus {@link MATCHED}. */
const NO_MATCH = 1;
const MATCHED = 2;

/** Numbers per entry of the stack: step, position, progress, comparisons so far. */
const WIDTH = 4;
/** Limits of memory. */
const MAX_STACK = 4_000_000;
const MAX_MEMO = 8_000_000;
/** Outcomes for which memory is reserved in the time of a step. */
const CELLS_PER_STEP = 8;
/** Characters that a loop reads in the time of a step. */
const CHARACTERS_PER_STEP = 4;

/**
 * A backtracking engine whose time is bounded, for any expression.
 *
 * It remembers the outcome of each choice at each position, so most expressions need time proportional to the length
 * of the value. As in Java, groups keep their values between repetitions, and an empty repetition ends a loop.
 *
 * @param name of the expression, for warnings
 */
export function backtrackingMatcher(root: RegexNode, groupCount: number, name: string): RegexEngine {
  const program = programOf(root, groupCount);
  const first = firstSet(root);
  const start = first === ANY_CHARACTER ? '' : printJavaScript({ kind: 'Set', set: first }).source;
  const starts = new RegExp(start, 'gu');
  let search: MemoizedSearch | undefined;
  const exec: RegexEngine['exec'] = (text, from, run) => {
    if (program !== undefined && (from === 0 || search?.text !== text))
      search = new MemoizedSearch(program, text, starts);
    const found = search?.find(from, groupCount, run);
    if (found === undefined) run?.searches.leaveUndecided(name);
    return found;
  };
  return {
    exec,
    test(text, run) {
      const match = exec(metered(text), 0, run);
      return match === undefined ? undefined : match !== null;
    },
  };
}

class MemoizedSearch implements Search {
  readonly text: string;
  readonly slots: Int32Array;
  readonly #program: Program;
  /** Finds the positions at which a match can start. */
  readonly #starts: RegExp;
  #stack = new Int32Array(64 * WIDTH);
  #top = 0;
  #memo: Int32Array | undefined;
  #steps = 0;
  #maxSteps = 0;
  /** Number of comparisons so far: what follows them depends on more than the position. */
  #comparisons = 0;
  /** Whether an empty turn has ended a loop. Then failures are certain only until the next match. */
  #hasEmptyTurns = false;
  /** Number of steps after which remembering pays. */
  #memoFrom = 0;
  /** The end of a match that was found before. */
  #end = 0;

  constructor(program: Program, text: string, starts: RegExp) {
    this.#program = program;
    this.#starts = starts;
    this.text = text;
    this.slots = new Int32Array(program.slots);
  }

  /** The first match at or after `from`; `undefined` if the budget is spent. */
  find(from: number, groupCount: number, run: SearchingRun | undefined): RegExpExecArray | null | undefined {
    const used = this.#steps;
    this.#maxSteps = run?.searches.allow(this.text.length, used) ?? Number.POSITIVE_INFINITY;
    const index = this.#findStart(from);
    run?.searches.spend(this.#steps - used);
    if (index === UNDECIDED) return undefined;
    if (index === FAILED) return null;
    const groups = Array.from({ length: groupCount + 1 }, (_, group) => {
      const [start, end] = [this.slots[2 * group]!, this.slots[2 * group + 1]!];
      return start < 0 || end < 0 ? undefined : this.text.slice(start, end);
    });
    return Object.assign(groups as [string, ...string[]], { index, input: this.text });
  }

  #findStart(from: number): number {
    for (let position = from; ; ) {
      this.#starts.lastIndex = position;
      const index = this.#starts.exec(this.text)?.index;
      if (index === undefined) return FAILED;
      this.slots.fill(-1);
      this.#top = 0;
      const end = this.#run(this.#program.start, index);
      if (end === UNDECIDED) return UNDECIDED;
      if (end >= 0) {
        this.slots[0] = index;
        this.slots[1] = end;
        return index;
      }
      position = after(this.text, index);
    }
  }

  /** The end of the match of some steps at a position. Their choices stay on the stack. */
  #run(first: Step, from: number): number {
    const base = this.#top;
    let step = first;
    let position = from;
    for (;;) {
      if (++this.#steps > this.#maxSteps || this.#top > MAX_STACK) return UNDECIDED;
      if (step.action === 'accept') {
        if (this.#hasEmptyTurns) this.#forget();
        return position;
      }
      position = step.action === 'move' ? step.move(this, position) : this.#act(step, position);
      if (position >= 0) {
        const isEmpty = step.action === 'turn' && this.slots[step.slot] === position;
        this.#hasEmptyTurns ||= isEmpty;
        step = isEmpty ? step.other : step.next;
        continue;
      }
      while (position === FAILED && this.#top > base) {
        step = this.#program.steps[this.#stack[this.#top - WIDTH]!]!;
        position = this.#retry(step);
      }
      if (position < 0) return position === ENDED ? this.#end : position;
      step = step.action === 'split' ? step.other : step.next;
    }
  }

  #act(step: Step, position: number): number {
    switch (step.action) {
      case 'split':
        return this.#known(step, position) || this.#push(step, position, 0);
      case 'loop':
        return this.#known(step, position) || this.#loop(step, position);
      case 'save':
        this.#push(step, this.slots[step.slot]!, 0);
        this.slots[step.slot] = position;
        return position;
      default:
        return position;
    }
  }

  matchPart(first: Step, position: number, isPure: boolean): number {
    const top = this.#top;
    const end = this.#run(first, position);
    if (end >= 0) this.#settle(top, end, isPure);
    return end;
  }

  compare(one: string, other: string, ignoreCase: boolean): boolean {
    this.#comparisons += 1;
    this.#steps += Math.ceil(one.length / CHARACTERS_PER_STEP);
    return one === other || (ignoreCase && folded(one) === folded(other));
  }

  /** Reads as many characters as a loop can. Each place on the way is a choice that it may have made before. */
  #loop(step: Step, start: number): number {
    let end = start;
    let outcome = 0;
    for (let count = 0; count < step.max && outcome === 0; count++) {
      const next = step.move(this, end);
      outcome = next === FAILED ? FAILED : this.#known(step, next);
      if (outcome !== FAILED) end = next;
      if (step.max < Number.POSITIVE_INFINITY && outcome === ENDED) outcome = 0;
    }
    this.#steps += Math.ceil((end - start) / CHARACTERS_PER_STEP);
    this.#push(step, start, end);
    return outcome === ENDED ? ENDED : end;
  }

  /** The position at which the last step on the stack continues; `FAILED` if it has no other choice. */
  #retry(step: Step): number {
    const top = this.#top - WIDTH;
    const [start, progress] = [this.#stack[top + 1]!, this.#stack[top + 2]!];
    const isLoop = step.action === 'loop';
    if (step.action === 'save') this.slots[step.slot] = start;
    else if (isLoop ? progress > start : progress === 0) {
      if (step.max === Number.POSITIVE_INFINITY) this.#remember(step, progress, NO_MATCH, top);
      this.#stack[top + 2] = isLoop ? before(this.text, progress) : 1;
      return isLoop ? this.#stack[top + 2]! : start;
    } else this.#remember(step, start, NO_MATCH, top);
    this.#top = top;
    return FAILED;
  }

  /** Removes the choices of a part that has matched. Its groups can still be undone. */
  #settle(base: number, end: number, isPure: boolean): void {
    let kept = base;
    for (let entry = base; entry < this.#top; entry += WIDTH) {
      const step = this.#program.steps[this.#stack[entry]!]!;
      const [start, progress] = [this.#stack[entry + 1]!, this.#stack[entry + 2]!];
      if (step.action === 'save') {
        this.#stack.copyWithin(kept, entry, entry + WIDTH);
        kept += WIDTH;
      } else if (isPure) {
        const last = step.max === Number.POSITIVE_INFINITY ? progress : start;
        for (let place = start; place <= last; place++) this.#remember(step, place, end + MATCHED, entry);
      }
    }
    this.#top = kept;
  }

  #forget(): void {
    this.#memo = undefined;
    this.#memoFrom = this.#steps;
    this.#hasEmptyTurns = false;
  }

  #push(step: Step, position: number, progress: number): number {
    if (this.#top === this.#stack.length) {
      const larger = new Int32Array(2 * this.#top);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    this.#stack[this.#top] = step.id;
    this.#stack[this.#top + 1] = position;
    this.#stack[this.#top + 2] = progress;
    this.#stack[this.#top + 3] = this.#comparisons;
    this.#top += WIDTH;
    return position;
  }

  /** The outcome of a choice at a position, 0 if it is unknown. */
  #known({ choice }: Step, position: number): number {
    const known = this.#memo?.[choice * (this.text.length + 1) + position] ?? 0;
    if (known < MATCHED) return -known;
    this.#end = known - MATCHED;
    return ENDED;
  }

  /** Remembers the outcome of a choice, unless it depends on a group. */
  #remember({ choice }: Step, position: number, outcome: number, entry: number): void {
    if (this.#stack[entry + 3] !== this.#comparisons) return;
    const width = this.text.length + 1;
    if (this.#memo === undefined) {
      const size = width * this.#program.choices;
      // Most searches end before it would help.
      if (this.#steps < this.#memoFrom + size / CELLS_PER_STEP || size > MAX_MEMO) return;
      this.#memo = new Int32Array(size);
    }
    this.#memo[choice * width + position] = outcome;
  }
}

/** Ignores case like JavaScript: character by character. */
function folded(text: string): string {
  return Array.from(text, (character) => character.toLowerCase().toUpperCase()).join('\n');
}
