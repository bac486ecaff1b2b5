import type { Trigger } from './secret-patterns.ts';

/** A set of bytes, as Latin-1 characters. */
type Bytes = string;

/** For each step, the bytes that it accepts, and those that may come before them. */
type Sequence = (readonly [accepts: Bytes, skips?: Bytes])[];

interface Step {
  readonly accepts: Bytes;
  readonly skips: Bytes;
  readonly isLast: boolean;
}

/** Each state has a row of the table, with this many columns. */
const BYTES = 256;
/** States by the index of their rows: after a transition that is not computed yet, after the end of a sequence, and others. */
const UNKNOWN = 0;
const FOUND = BYTES;
const START = 2 * BYTES;
const QUOTE = 0x22;
/** More states are only needed by unusual data; then the table starts again. */
const MAX_STATES = 2_000;

const CHARACTERS = Array.from({ length: BYTES }, (_, byte) => String.fromCharCode(byte));
const SEPARATORS = matching(/[_\-. ]/);
/** What may be between a name and {@link NAME_END}: `password\t=`, `headers.authorization.0`, spaces that are not ASCII, colors. */
const AFTER_NAME = `${matching(/[_\-.\s\d\u0080-\uffff]/)}\u001b`;
const NAME_END = matching(/["'`\\:=[\]]/);
const BACKSLASH = '\\';
const DIGITS = matching(/\d/);
const PLACEHOLDERS: Record<string, Bytes> = {
  '¹': DIGITS,
  '²': matching(/[\w-]/),
  '⁴': matching(/[\s\\\u0080-\uffff]/),
};
/** What may come before the character behind these. */
const SKIPS: Record<string, Bytes> = { '³': matching(/[^ \t-\r"]/), '⁵': BACKSLASH };

/**
 * Tests in one pass over the bytes of a record whether it may contain a secret: about a nanosecond per byte, where regular
 * expressions need a string and far more time. Almost all records contain none.
 *
 * A deterministic automaton whose transitions are computed when they are first needed.
 */
export class Prefilter {
  readonly #steps: Step[] = [];
  /** Indexes of the first steps. */
  readonly #starts: number[] = [];
  readonly #startsByCharacter = new Map<string, readonly number[]>();
  #text = new DataView(new ArrayBuffer(256));
  #view: DataView = this.#text;
  #table = new Int32Array(0);
  /** The steps that the state of each row waits for, in addition to the first ones. */
  #states: (readonly number[])[] = [];
  #byKey = new Map<string, number>();

  /**
   * @param names normalized names of fields, of which each is found with any separators and in any case.
   * @param endings ends of such names.
   */
  constructor(
    names: readonly string[],
    endings: readonly string[],
    triggers: readonly Trigger[],
    cards: boolean,
  ) {
    const [other, escaped] = [matching(/[^A-Za-z\d]/), matching(/[bfnrt]/)];
    for (const name of names) {
      const steps = nameSteps(name);
      this.#add([[other], ...steps]);
      // An escape in JSON and a color end before a word, but look like a letter of it.
      this.#add([[BACKSLASH], [escaped], ...steps]);
      this.#add([['\u001b'], [matching(/m/), matching(/[[\d;]/)], ...steps]);
    }
    if (names.some((name) => /[\u0080-\uffff]/.test(name))) this.#add([[matching(/[\u0080-\uffff]/)]]);
    for (const ending of endings) this.#add(nameSteps(ending));
    for (const trigger of triggers) this.#add(triggerSteps(trigger));
    for (const steps of cards ? cardSteps() : []) this.#add(steps);
    // An escape may hide any character.
    this.#add([[BACKSLASH], [matching(/u/)]]);
    this.#add([[matching(/%/)], [matching(/[4-7]/)], [matching(/[\da-f]/i)]]);
    this.#add([[matching(/%/)], [matching(/2/)], [matching(/[0de]/i)]]);
    this.#reset();
  }

  /** True if the bytes from `start` to `end`, which are JSON, may contain a secret. */
  test(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    return this.#test(this.#view, bytes.byteOffset + start, bytes.byteOffset + end);
  }

  /** True if the text, or text that encloses it in quotes, may contain a secret. */
  testText(text: string): boolean {
    const { length } = text;
    if (length > this.#text.byteLength - 2) this.#text = new DataView(new ArrayBuffer(2 * length + 2));
    const bytes = this.#text;
    bytes.setUint8(0, QUOTE);
    // Like the bytes of UTF-8, other characters are not ASCII.
    for (let at = 0; at < length; at++) bytes.setUint8(at + 1, Math.min(text.charCodeAt(at), 0xff));
    bytes.setUint8(length + 1, QUOTE);
    return this.#test(bytes, 0, length + 2);
  }

  #test(bytes: DataView, start: number, end: number): boolean {
    const quarter = ((end - start) >> 4) << 2;
    const result = scan(this.#table, bytes, start, quarter, end);
    if (result !== UNKNOWN) return result === FOUND;
    // Also computes the transitions that were missing.
    const found = [3, 2, 1, 0].map((part) => this.#testFrom(bytes, start + part * quarter, end));
    return found.includes(true);
  }

  #testFrom(bytes: DataView, start: number, end: number): boolean {
    let state = START;
    for (let at = start; at < end && state !== FOUND; at++) {
      const byte = bytes.getUint8(at);
      state = this.#table[state + byte] || this.#next(state, byte);
    }
    return state === FOUND;
  }

  #add(sequence: Sequence): void {
    this.#starts.push(this.#steps.length);
    for (const [index, [accepts, skips = '']] of sequence.entries()) {
      this.#steps.push({ accepts, skips, isLast: index === sequence.length - 1 });
    }
  }

  #reset(): void {
    this.#states = [[], [], []];
    this.#byKey = new Map([['', START]]);
    this.#table = new Int32Array(MAX_STATES * BYTES).fill(FOUND, FOUND, START);
  }

  #next(state: number, byte: number): number {
    if (this.#states.length === MAX_STATES) {
      this.#reset(); // Rows before have no meaning after it, so this text is searched.
      return FOUND;
    }
    const character = String.fromCharCode(byte);
    const next = new Set<number>();
    for (const index of [...this.#startsWith(character), ...this.#states[state / BYTES]!]) {
      const { accepts, skips, isLast } = this.#steps[index]!;
      if (accepts.includes(character)) {
        if (isLast) return this.#set(state, byte, FOUND);
        next.add(index + 1);
      }
      if (skips.includes(character)) next.add(index);
    }
    const steps = [...next].sort((a, b) => a - b);
    const key = steps.join();
    const row = this.#byKey.get(key) ?? (this.#states.push(steps) - 1) * BYTES;
    this.#byKey.set(key, row);
    return this.#set(state, byte, row);
  }

  #set(state: number, byte: number, row: number): number {
    this.#table[state + byte] = row;
    return row;
  }

  /** Almost all transitions need few of the first steps. */
  #startsWith(character: string): readonly number[] {
    const known = this.#startsByCharacter.get(character);
    const starts = known ?? this.#starts.filter((index) => this.#steps[index]!.accepts.includes(character));
    this.#startsByCharacter.set(character, starts);
    return starts;
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

function matching(regex: RegExp): Bytes {
  return CHARACTERS.filter((character) => regex.test(character)).join('');
}

function sameLetter(letter: string): Bytes {
  return letter.toLowerCase() + letter.toUpperCase();
}

function nameSteps(name: string): Sequence {
  const letters = [...name].map((letter, index): Sequence[number] => {
    return [sameLetter(letter), index === 0 ? undefined : SEPARATORS];
  });
  return [...letters, [NAME_END, AFTER_NAME]];
}

function triggerSteps(trigger: Trigger): Sequence {
  return [...trigger.matchAll(/([³⁵]?)(.)/g)].map(([, skips = '', character = '']) => {
    return [PLACEHOLDERS[character] ?? sameLetter(character), SKIPS[skips]];
  });
}

/** 13 to 16 digits, or separators after the first four. The first digit is that of a card. */
function cardSteps(): Sequence[] {
  const [start, separators]: [Sequence, Bytes] = [[[matching(/\D/)], [matching(/[2-6]/)]], matching(/[ -]/)];
  const digits = (count: number, skips = ''): Sequence => Array(count).fill([DIGITS, skips]);
  const grouped: Sequence = [...start, ...digits(3), [separators], ...digits(9, separators)];
  return [grouped, ...[12, 13, 14, 15].map((count) => [...start, ...digits(count), start[0]!])];
}
