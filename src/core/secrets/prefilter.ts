import type { Trigger } from './secret-patterns.ts';

/** One step of a sequence: the bytes that it accepts, and those that may come before them. */
interface Step {
  readonly bytes: ReadonlySet<number>;
  readonly skipped: ReadonlySet<number> | undefined;
  readonly isLast: boolean;
}

/** Each state has a row of the table, with this many columns. */
const CLASSES = 128;
/** Transitions: not computed yet, and the end of a sequence. Others are the index of the row of the next state. */
const UNKNOWN = 0;
const FOUND = 1;
const START = CLASSES;
/** Text may be the content of a JSON string. */
const QUOTE = 0x22;
/** More states are only needed by unusual data; then the table starts again. */
const MAX_STATES = 2_000;

const bytesOf = (isIn: (character: string) => boolean): ReadonlySet<number> =>
  new Set(Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => isIn(String.fromCharCode(byte))));
const matching = (regex: RegExp): ReadonlySet<number> => bytesOf((character) => regex.test(character));

const SEPARATORS = matching(/[_\-. ]/);
const NAME_ENDS = matching(/["'`\\:=[\]]/);
const NO_LETTER = matching(/[^A-Za-z\d]/);
const PLACEHOLDERS: Readonly<Record<string, ReadonlySet<number>>> = {
  '¹': matching(/\d/),
  '²': matching(/[\w-]/),
  '⁴': matching(/[A-Z\d]/),
};
const IN_URL = matching(/[^\s"/]/);
/** An escape in JSON ends before a word, but looks like a letter of it. */
const ESCAPES = [[matching(/\\/)], [matching(/[bfnrt]/)]] as const;
const NOT_ASCII = /[\u0080-\uffff]/;

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
  readonly #classOf = new Uint8Array(256);
  /** A byte of each class. */
  readonly #sample: number[] = [];
  #table = new Uint32Array(0);
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
    const isAscii = (name: string): boolean => !NOT_ASCII.test(name);
    for (const name of names.filter(isAscii)) {
      this.#add([[NO_LETTER], ...nameSteps(name)]);
      this.#add([...ESCAPES, ...nameSteps(name)]);
    }
    if (!names.every(isAscii)) this.#add([[matching(NOT_ASCII)]]);
    for (const ending of endings) this.#add(nameSteps(ending));
    for (const trigger of triggers) this.#add(triggerSteps(trigger));
    if (cards) this.#add(cardSteps());
    // An escape may hide any character.
    this.#add([[matching(/\\/)], [matching(/u/)]]);
    this.#classify();
    this.#reset();
  }

  /** True if the first `end` bytes may contain a secret. */
  test(bytes: Uint8Array, end: number): boolean {
    const classOf = this.#classOf;
    let table = this.#table;
    let state = START;
    for (let at = 0; at < end; at++) {
      const byteClass = classOf[bytes[at]!]!;
      let next = table[state + byteClass]!;
      if (next <= FOUND) {
        if (next === UNKNOWN) next = this.#next(state, byteClass);
        if (next === FOUND) return true;
        table = this.#table;
      }
      state = next;
    }
    return false;
  }

  /** True if the text, or text that encloses it in quotes, may contain a secret. */
  testText(text: string): boolean {
    let state = this.#step(START, QUOTE);
    for (let at = 0; at < text.length && state !== FOUND; at++) {
      // Like the bytes of UTF-8, other characters are not ASCII.
      state = this.#step(state, Math.min(text.charCodeAt(at), 0xff));
    }
    return state === FOUND || this.#step(state, QUOTE) === FOUND;
  }

  #step(state: number, byte: number): number {
    const byteClass = this.#classOf[byte]!;
    const next = this.#table[state + byteClass]!;
    return next === UNKNOWN ? this.#next(state, byteClass) : next;
  }

  #add(sequence: readonly (readonly [ReadonlySet<number>, ReadonlySet<number>?])[]): void {
    this.#starts.push(this.#steps.length);
    for (const [index, [bytes, skipped]] of sequence.entries()) {
      this.#steps.push({ bytes, skipped, isLast: index === sequence.length - 1 });
    }
  }

  /** Bytes that no step tells apart have the same class. */
  #classify(): void {
    const sets = [...new Set(this.#steps.flatMap(({ bytes, skipped }) => [bytes, skipped ?? bytes]))];
    const classes = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      const key = sets.map((set) => (set.has(byte) ? 1 : 0)).join('');
      const known = classes.get(key) ?? classes.size;
      classes.set(key, known);
      this.#classOf[byte] = known;
      this.#sample[known] = byte;
    }
  }

  #reset(): void {
    this.#states = [[], []];
    this.#byKey = new Map([['', START]]);
    this.#table = new Uint32Array(64 * CLASSES);
  }

  #next(state: number, byteClass: number): number {
    const byte = this.#sample[byteClass]!;
    const next = new Set<number>();
    for (const index of [...this.#starts, ...this.#states[state / CLASSES]!]) {
      const { bytes, skipped, isLast } = this.#steps[index]!;
      if (bytes.has(byte)) {
        if (isLast) return this.#set(state, byteClass, FOUND);
        next.add(index + 1);
      }
      if (skipped?.has(byte)) next.add(index);
    }
    const steps = [...next].sort((a, b) => a - b);
    const key = steps.join();
    const known = this.#byKey.get(key);
    if (known !== undefined) return this.#set(state, byteClass, known);
    if (this.#states.length === MAX_STATES) {
      this.#reset();
      return this.#addState(key, steps);
    }
    return this.#set(state, byteClass, this.#addState(key, steps));
  }

  #addState(key: string, steps: readonly number[]): number {
    const state = (this.#states.push(steps) - 1) * CLASSES;
    this.#byKey.set(key, state);
    if (state + CLASSES <= this.#table.length) return state;
    const before = this.#table;
    this.#table = new Uint32Array(2 * before.length);
    this.#table.set(before);
    return state;
  }

  #set(state: number, byteClass: number, next: number): number {
    this.#table[state + byteClass] = next;
    return next;
  }
}

type Sequence = (readonly [ReadonlySet<number>, ReadonlySet<number>?])[];

const sets = new Map<string, ReadonlySet<number>>();

/** The same set for the same character, so that there are few sets to compare. */
function setOf(key: string, isIn: (character: string) => boolean): ReadonlySet<number> {
  const set = sets.get(key) ?? bytesOf(isIn);
  sets.set(key, set);
  return set;
}

function nameSteps(name: string): Sequence {
  const letters = [...name].map((letter, index): Sequence[number] => {
    const set = setOf(letter, (character) => character.toLowerCase() === letter);
    return index === 0 ? [set] : [set, SEPARATORS];
  });
  return [...letters, [NAME_ENDS, SEPARATORS]];
}

function triggerSteps(trigger: Trigger): Sequence {
  const steps: Sequence = [];
  let skipped: ReadonlySet<number> | undefined;
  for (const character of trigger) {
    if (character === '³') skipped = IN_URL;
    else {
      steps.push([PLACEHOLDERS[character] ?? setOf(`=${character}`, (one) => one === character), skipped]);
      skipped = undefined;
    }
  }
  return steps;
}

/** 13 digits, of which the first is that of a card. */
function cardSteps(): Sequence {
  const separators = matching(/[ -]/);
  const digits = Array.from({ length: 12 }, (): Sequence[number] => [PLACEHOLDERS['¹']!, separators]);
  return [[matching(/\D/)], [matching(/[2-6]/)], ...digits];
}
