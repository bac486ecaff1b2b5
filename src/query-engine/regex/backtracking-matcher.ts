import type { RegexNode } from '../../query-language/regex/regex-syntax.ts';
import type { RegexEngine, SearchingRun } from './regex-engine.ts';
import { type Program, programOf, type Step } from './regex-program.ts';

/** Results that are not positions. */
const FAILED = -1;
const UNDECIDED = -2;
const ENDED = -3;
/** The position of a loop's first turn is subtracted from this. */
const FIRST = -2;
/** What is known of a choice at a position. A larger number is the end of its match, plus {@link MATCHED}. */
const NO_MATCH = 1;
const MATCHED = 2;

/** Numbers per entry of the stack: step, position, progress, references so far. */
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
 * of the value. Groups keep their values between repetitions, and only the first repetition can be empty, as in RE2.
 *
 * @param name of the expression, for warnings
 */
export function backtrackingMatcher(root: RegexNode, groupCount: number, name: string): RegexEngine {
  const program = programOf(root, groupCount);
  let search: Search | undefined;
  const exec = (text: string, from: number, run?: SearchingRun): RegExpExecArray | null | undefined => {
    if (program !== undefined && (from === 0 || search?.text !== text)) search = new Search(program, text);
    const found = search?.find(from, groupCount, run);
    if (found === undefined) run?.searches.leaveUndecided(name);
    return found;
  };
  return {
    exec,
    test(text, run) {
      const match = exec(text, 0, run);
      return match === undefined ? undefined : match !== null;
    },
  };
}

/** A search in one string. */
class Search {
  readonly text: string;
  readonly #program: Program;
  readonly #slots: Int32Array;
  #stack = new Int32Array(64 * WIDTH);
  #top = 0;
  #memo: Int32Array | undefined;
  #steps = 0;
  #maxSteps = 0;
  /** Number of references so far: what follows them depends on more than the position. */
  #references = 0;
  /** Whether a loop has refused an empty turn. Then failures are certain only until the next match. */
  #hasEmptyTurns = false;
  /** Number of steps after which remembering pays. */
  #memoFrom = 0;
  /** The end of a match that was found before. */
  #end = 0;

  constructor(program: Program, text: string) {
    this.#program = program;
    this.text = text;
    this.#slots = new Int32Array(program.slots);
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
      const [start = -1, end = -1] = this.#slots.subarray(2 * group);
      return start < 0 || end < 0 ? undefined : this.text.slice(start, end);
    });
    return Object.assign(groups as [string, ...string[]], { index, input: this.text });
  }

  #findStart(from: number): number {
    const { start } = this.#program;
    for (let index = from; index <= this.text.length; index = after(this.text, index)) {
      this.#slots.fill(-1);
      this.#top = 0;
      const end = this.#run(start, index);
      if (end === UNDECIDED) return UNDECIDED;
      if (end === FAILED) continue;
      this.#slots[0] = index;
      this.#slots[1] = end;
      return index;
    }
    return FAILED;
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
      if (step.choice === -1) position = this.#act(step, position);
      else position = step.action === 'split' ? this.#split(step, position) : this.#loop(step, position);
      if (position >= 0) {
        const isLast = step.action === 'turn' && this.#slots[step.slot] === FIRST - position;
        step = isLast ? step.other : step.next;
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

  /** Does a step without a choice. */
  #act(step: Step, position: number): number {
    switch (step.action) {
      case 'set':
        return this.#read(step, position);
      case 'save':
        this.#push(step, this.#slots[step.slot]!, 0);
        this.#slots[step.slot] = step.isOn ? FIRST - position : position;
        return position;
      case 'turn':
        if (this.#slots[step.slot] !== position) return position;
        this.#hasEmptyTurns = true;
        return FAILED;
      case 'assert':
        return step.holds(this.text, position) ? position : FAILED;
      case 'reference':
        return this.#readReference(step, position);
      case 'look':
      case 'atomic': {
        const top = this.#top;
        const end = this.#run(step.other, position);
        if (end === UNDECIDED) return UNDECIDED;
        if (end !== FAILED) this.#settle(top, end, step.isPure);
        if (step.action === 'atomic') return end;
        return (end === FAILED) === step.isOn ? position : FAILED;
      }
      default:
        return position;
    }
  }

  #read({ has, isBackward }: Step, position: number): number {
    const start = isBackward ? before(this.text, position) : position;
    const code = this.text.codePointAt(start);
    if (code === undefined || !has(code)) return FAILED;
    return isBackward ? start : start + (code > 0xffff ? 2 : 1);
  }

  #readReference({ slot, isOn: ignoresCase, isBackward }: Step, position: number): number {
    this.#references += 1;
    const [from, to] = [this.#slots[2 * slot]!, this.#slots[2 * slot + 1]!];
    if (from < 0 || to < 0) return position;
    const start = isBackward ? position - (to - from) : position;
    const [one, other] = [this.text.slice(from, to), this.text.slice(Math.max(0, start), start + to - from)];
    this.#steps += Math.ceil(one.length / CHARACTERS_PER_STEP);
    if (one !== other && !(ignoresCase && folded(one) === folded(other))) return FAILED;
    return isBackward ? start : start + one.length;
  }

  #split(step: Step, position: number): number {
    const known = this.#known(step, position);
    if (known !== 0) return known;
    this.#push(step, position, 0);
    return position;
  }

  /** Reads as many characters as a loop can. Each place on the way is a choice that it may have made before. */
  #loop(step: Step, start: number): number {
    const known = this.#known(step, start);
    if (known !== 0) return known;
    let end = start;
    for (let count = 0; count < step.max; count++) {
      const next = this.#read(step, end);
      const outcome = next === FAILED ? FAILED : this.#known(step, next);
      if (outcome === FAILED) break;
      end = next;
      if (outcome === ENDED && step.max === Number.POSITIVE_INFINITY) {
        this.#push(step, start, end);
        return ENDED;
      }
    }
    this.#steps += Math.ceil((end - start) / CHARACTERS_PER_STEP);
    this.#push(step, start, end);
    return end;
  }

  /** The position at which the last step on the stack continues; `FAILED` if it has no other choice. */
  #retry(step: Step): number {
    const top = this.#top - WIDTH;
    const [start, progress] = [this.#stack[top + 1]!, this.#stack[top + 2]!];
    let position = FAILED;
    if (step.action === 'save') this.#slots[step.slot] = start;
    else if (step.action === 'loop') position = this.#retryLoop(step, start, progress);
    else if (progress === 0) {
      this.#stack[top + 2] = 1;
      position = start;
    } else this.#remember(step, start, NO_MATCH, top);
    if (position === FAILED) this.#top = top;
    return position;
  }

  /** One character less. */
  #retryLoop(step: Step, start: number, end: number): number {
    const top = this.#top - WIDTH;
    if (end === start || step.max === Number.POSITIVE_INFINITY) this.#remember(step, end, NO_MATCH, top);
    if (end === start) return FAILED;
    this.#stack[top + 2] = before(this.text, end);
    return this.#stack[top + 2]!;
  }

  /** Removes the choices of a body that has matched. Its groups can still be undone. */
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

  #push(step: Step, position: number, progress: number): void {
    if (this.#top === this.#stack.length) {
      const larger = new Int32Array(2 * this.#top);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    this.#stack[this.#top] = step.id;
    this.#stack[this.#top + 1] = position;
    this.#stack[this.#top + 2] = progress;
    this.#stack[this.#top + 3] = this.#references;
    this.#top += WIDTH;
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
    if (this.#stack[entry + 3] !== this.#references) return;
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

/** The position before a character, -1 at the start. */
function before(text: string, position: number): number {
  return position > 1 && (text.codePointAt(position - 2) ?? 0) > 0xffff ? position - 2 : position - 1;
}

function after(text: string, position: number): number {
  return position + ((text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1);
}
