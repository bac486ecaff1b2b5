import type { Gate } from './secret-table.ts';

/** A set of bytes, as Latin-1 characters. */
type Bytes = string;

/** What is left of a gate: the bytes that it accepts next, those that may come before them, and what is left then. */
interface Step<Owner> {
  readonly owner: Owner;
  readonly accepts: Bytes;
  readonly skips: Bytes;
  readonly rest: Gate;
  /** Indices of the steps of the rest, once they are known. */
  next?: readonly number[];
}

/** Each state has a row of the table, with this many columns. */
const BYTES = 256;
/** States by the index of their rows: after a transition that is not computed yet, after the end of a gate, and others. */
const UNKNOWN = 0;
const FOUND = BYTES;
const START = 2 * BYTES;
/** What follows the last part of a gate. */
const NOTHING = -1;
const QUOTE = 0x22;
/** The table has as many states at first, and grows. */
const FIRST_STATES = 128;
/** More states are only needed by unusual data; then the table starts again. */
const MAX_STATES = 2_000;

const ALL_BYTES = Array.from({ length: BYTES }, (_, byte) => String.fromCharCode(byte)).join('');
/** A character of a gate, or a class, and its quantifier. What looks around matches nothing itself. */
const PART =
  /(?:\(\?<?[=!][^()]*\)|(\[(?:\\.|[^\]\\])*\]|\\x[\da-f]{2}|\\.|.))(?:\{(\d+)(,?)\d*\}|([*+?]))?/gs;
const GROUP = /\(\?:([^()]*)\)(\??)/y;

/**
 * Tests in one pass over the bytes of a record whether it may contain a secret: about a nanosecond per byte, where regular
 * expressions need a string and far more time. Almost all records contain none.
 *
 * A deterministic automaton whose states and transitions are computed when they are first needed.
 */
export class Prefilter<Owner> {
  readonly #steps: Step<Owner>[] = [];
  readonly #stepsByRest = new Map<Owner, Map<Gate, readonly number[]>>();
  /** The first steps, by the bytes that they accept. */
  readonly #starts: number[][] = Array.from({ length: BYTES }, () => []);
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** Transitions. The end of a gate leads to {@link FOUND}, and stays there. */
  #table = new Int32Array(0);
  /** What the gates open for that end with a transition, and the row of the state after it. */
  readonly #found = new Map<number, { readonly owners: ReadonlySet<Owner>; readonly row: number }>();
  /** The steps that the state of each row waits for, in addition to the first ones. */
  #states: (readonly number[])[] = [];
  #byKey = new Map<string, number>();

  /** @param gates what they open for, with the gates of which text must contain one. */
  constructor(gates: Iterable<readonly [Owner, readonly Gate[]]>) {
    for (const [owner, own] of gates) {
      this.#stepsByRest.set(owner, new Map());
      for (const index of new Set(own.flatMap((gate) => this.#stepsOf(owner, gate)))) {
        for (const byte of this.#steps[index]!.accepts) this.#starts[byte.charCodeAt(0)]!.push(index);
      }
    }
    this.#reset();
  }

  /** True if the bytes from `start` to `end`, which are JSON, may contain a secret. */
  test(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    const [from, to] = [bytes.byteOffset + start, bytes.byteOffset + end];
    const quarter = ((to - from) >> 4) << 2;
    const result = scan(this.#table, this.#view, from, quarter, to);
    if (result !== UNKNOWN) return result === FOUND;
    // Also computes the transitions that were missing.
    const found = [3, 2, 1, 0].map((part) => this.#testFrom(this.#view, from + part * quarter, to));
    return found.includes(true);
  }

  /** What gates open for in the text, or in text that encloses it in quotes. */
  find(text: string): ReadonlySet<Owner> {
    const owners = new Set<Owner>();
    let state = START;
    for (let at = -1; at <= text.length; at++) {
      // Like the bytes of UTF-8, other characters are not ASCII.
      const byte = at < 0 || at === text.length ? QUOTE : Math.min(text.charCodeAt(at), 0xff);
      if (this.#table[state + byte] === UNKNOWN) state = this.#next(state, byte);
      const next = this.#table[state + byte]!;
      const found = next === FOUND ? this.#found.get(state + byte) : undefined;
      for (const owner of found?.owners ?? []) owners.add(owner);
      state = found?.row ?? next;
    }
    return owners;
  }

  #testFrom(bytes: DataView, start: number, end: number): boolean {
    let state = START;
    for (let at = start; at < end && state !== FOUND; at++) {
      const byte = bytes.getUint8(at);
      if (this.#table[state + byte] === UNKNOWN) state = this.#next(state, byte);
      state = this.#table[state + byte]!;
    }
    return state === FOUND;
  }

  #reset(): void {
    this.#states = [[], [], []];
    this.#byKey = new Map([['', START]]);
    this.#found.clear();
    this.#table = new Int32Array(FIRST_STATES * BYTES).fill(FOUND, FOUND, START);
  }

  /** Computes a transition. @returns the state, which has another row if the table has started again. */
  #next(before: number, byte: number): number {
    const waiting = this.#states[before / BYTES]!;
    if (this.#states.length >= MAX_STATES) this.#reset();
    const state = this.#rowOf(waiting);
    const character = ALL_BYTES[byte]!;
    const next = new Set<number>();
    const owners = new Set<Owner>();
    for (const index of [...this.#starts[byte]!, ...waiting]) {
      const step = this.#steps[index]!;
      if (step.accepts.includes(character)) {
        step.next ??= this.#stepsOf(step.owner, step.rest);
        if (step.next.includes(NOTHING)) owners.add(step.owner);
        else for (const each of step.next) next.add(each);
      }
      if (step.skips.includes(character)) next.add(index);
    }
    const row = this.#rowOf([...next].sort((a, b) => a - b));
    this.#table[state + byte] = owners.size > 0 ? FOUND : row;
    if (owners.size > 0) this.#found.set(state + byte, { owners, row });
    return state;
  }

  #rowOf(steps: readonly number[]): number {
    const key = steps.join();
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const row = (this.#states.push(steps) - 1) * BYTES;
    this.#byKey.set(key, row);
    if (row < this.#table.length) return row;
    const table = new Int32Array(2 * this.#table.length);
    table.set(this.#table);
    this.#table = table;
    return row;
  }

  /** The first steps of a gate: one, or more if it starts with a group. */
  #stepsOf(owner: Owner, gate: Gate): readonly number[] {
    const known = this.#stepsByRest.get(owner)!;
    let steps = known.get(gate);
    if (steps === undefined) {
      const first = firstStep(owner, gate);
      if (Array.isArray(first)) steps = first.flatMap((each) => this.#stepsOf(owner, each));
      else steps = [first === undefined ? NOTHING : this.#steps.push(first) - 1];
      known.set(gate, steps);
    }
    return steps;
  }
}

/** @returns `UNKNOWN` if a transition is missing, `FOUND`, or another state for neither. */
function scan(table: Int32Array, view: DataView, start: number, quarter: number, end: number): number {
  let [one, two, three, four] = [START, START, START, START];
  const [second, third, fourth] = [start + quarter, start + 2 * quarter, start + 3 * quarter];
  // Each transition waits for the one before. Those of all quarters run at the same time.
  for (let at = 0; at < quarter; at += 4) {
    one = afterFour(table, one, view.getInt32(start + at, true));
    two = afterFour(table, two, view.getInt32(second + at, true));
    three = afterFour(table, three, view.getInt32(third + at, true));
    four = afterFour(table, four, view.getInt32(fourth + at, true));
  }
  for (let at = fourth + quarter; at < end; at++) four = table[four + view.getUint8(at)]!;
  return Math.min(
    goOn(table, view, one, second, end),
    goOn(table, view, two, third, end),
    goOn(table, view, three, fourth, end),
    four,
  );
}

/** @returns the state after the four bytes of a word. */
function afterFour(table: Int32Array, state: number, word: number): number {
  const one = table[state + (word & 0xff)]!;
  const two = table[one + ((word >> 8) & 0xff)]!;
  const three = table[two + ((word >> 16) & 0xff)]!;
  return table[three + (word >>> 24)]!;
}

/** What has started before `from` may end behind it, until the state is the same as without it. */
function goOn(table: Int32Array, view: DataView, before: number, from: number, end: number): number {
  let [state, again] = [before, START];
  for (let at = from; at < end && state !== again; at++) {
    const byte = view.getUint8(at);
    state = table[state + byte]!;
    again = table[again + byte]!;
  }
  return state;
}

/** @returns the alternatives if the gate starts with a group; `undefined` if nothing more is required. */
function firstStep<Owner>(owner: Owner, gate: Gate): Step<Owner> | Gate[] | undefined {
  let skips: Bytes = '';
  PART.lastIndex = 0;
  while (PART.lastIndex < gate.length) {
    const start = PART.lastIndex;
    GROUP.lastIndex = start;
    const [whole, group = '', mark] = GROUP.exec(gate) ?? [];
    if (whole !== undefined) {
      const others = [...group.split('|'), ...(mark === '?' ? [''] : [])];
      return others.map((other) => gate.slice(0, start) + other + gate.slice(start + whole.length));
    }
    const [, atom, count = '1', comma = '', sign = ''] = PART.exec(gate)!;
    if (atom === undefined) continue;
    const times = sign === '*' || sign === '?' ? 0 : Number(count);
    if (times > 0) {
      const others = gate.slice(PART.lastIndex);
      const rest = times > 1 ? `${atom}{${times - 1}${comma}}` : `${comma}${sign}` === '' ? '' : `${atom}*`;
      // JSON may escape a slash.
      return {
        owner,
        accepts: bytesOf(atom),
        skips: atom === '/' ? `${skips}\\` : skips,
        rest: rest + others,
      };
    }
    skips += bytesOf(atom);
  }
  return undefined;
}

const byAtom = new Map<string, Bytes>();

/** The characters that match a character or a class. */
function bytesOf(atom: string): Bytes {
  const bytes =
    byAtom.get(atom) ?? (atom.length === 1 ? atom : ALL_BYTES.match(new RegExp(atom, 'gs'))!.join(''));
  byAtom.set(atom, bytes);
  return bytes;
}
