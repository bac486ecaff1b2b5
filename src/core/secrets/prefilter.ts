import type { Trigger } from './secret-patterns.ts';

type CharacterTest = (character: string) => boolean;

/** For each step, the bytes that it accepts, as Latin-1 characters, and those that may come before them. */
type Sequence = (readonly [accepts: CharacterTest, skips?: CharacterTest])[];

interface Step {
  readonly accepts: CharacterTest;
  readonly skips: CharacterTest | undefined;
  readonly isLast: boolean;
}

/** Each state has a row of the table, with this many columns. */
const BYTES = 256;
/** Transitions: not computed yet, and the end of a sequence. Others are the index of the row of the next state. */
const UNKNOWN = 0;
const FOUND = 1;
const START = BYTES;
const QUOTE = 0x22;
/** More states are only needed by unusual data; then the table starts again. */
const MAX_STATES = 2_000;

const SEPARATORS = /[_\-. ]/;
/** What may be between a name and {@link NAME_END}: `password\t=`, `headers.authorization.0`, spaces that are not ASCII. */
const AFTER_NAME = /[_\-.\s\d\u0080-\uffff]/;
const NAME_END = /["'`\\:=[\]]/;
const PLACEHOLDERS: Record<string, RegExp> = { '¹': /\d/, '²': /[\w-]/, '⁴': /[\s\\\u0080-\uffff]/ };
/** What may come before the character behind these. */
const SKIPS: Record<string, RegExp> = { '³': /[^\s"]/, '⁵': /\\/ };
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
  readonly #startsByCharacter = new Map<string, readonly number[]>();
  #text = new Uint8Array(256);
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
      this.#add([[matching(/[^A-Za-z\d]/)], ...nameSteps(name)]);
      // An escape in JSON ends before a word, but looks like a letter of it.
      this.#add([[matching(/\\/)], [matching(/[bfnrt]/)], ...nameSteps(name)]);
    }
    if (!names.every(isAscii)) this.#add([[matching(NOT_ASCII)]]);
    for (const ending of endings) this.#add(nameSteps(ending));
    for (const trigger of triggers) this.#add(triggerSteps(trigger));
    if (cards) this.#add(cardSteps());
    // An escape may hide any character.
    this.#add([[matching(/\\/)], [matching(/u/)]]);
    this.#add([[matching(/%/)], [matching(/[4-7]/)], [matching(/[\da-f]/i)]]);
    this.#add([[matching(/%/)], [matching(/2/)], [matching(/[0de]/i)]]);
    this.#reset();
  }

  /** True if the bytes from `start` to `end`, which are JSON, may contain a secret. */
  test(bytes: Uint8Array, start: number, end: number): boolean {
    const quarter = (end - start) >> 2;
    const result = scan(this.#table, bytes, start, quarter, end);
    if (result !== UNKNOWN) return result === FOUND;
    // Also computes the transitions that were missing.
    const found = [3, 2, 1, 0].map((part) => this.#testFrom(bytes, start + part * quarter, end));
    return found.includes(true);
  }

  /** True if the text, or text that encloses it in quotes, may contain a secret. */
  testText(text: string): boolean {
    const { length } = text;
    if (length > this.#text.length - 2) this.#text = new Uint8Array(2 * length + 2);
    const bytes = this.#text;
    bytes[0] = QUOTE;
    // Like the bytes of UTF-8, other characters are not ASCII.
    for (let at = 0; at < length; at++) bytes[at + 1] = Math.min(text.charCodeAt(at), 0xff);
    bytes[length + 1] = QUOTE;
    return this.test(bytes, 0, length + 2);
  }

  #testFrom(bytes: Uint8Array, start: number, end: number): boolean {
    let state = START;
    for (let at = start; at < end && state !== FOUND; at++) {
      state = this.#table[state + bytes[at]!] || this.#next(state, bytes[at]!);
    }
    return state === FOUND;
  }

  #add(sequence: Sequence): void {
    this.#starts.push(this.#steps.length);
    for (const [index, [accepts, skips]] of sequence.entries()) {
      this.#steps.push({ accepts, skips, isLast: index === sequence.length - 1 });
    }
  }

  #reset(): void {
    this.#states = [[], []];
    this.#byKey = new Map([['', START]]);
    this.#table = new Uint32Array(64 * BYTES);
  }

  #next(state: number, byte: number): number {
    const character = String.fromCharCode(byte);
    const next = new Set<number>();
    for (const index of [...this.#startsWith(character), ...this.#states[state / BYTES]!]) {
      const { accepts, skips, isLast } = this.#steps[index]!;
      if (accepts(character)) {
        if (isLast) return this.#set(state, byte, FOUND);
        next.add(index + 1);
      }
      if (skips?.(character)) next.add(index);
    }
    const steps = [...next].sort((a, b) => a - b);
    const known = this.#byKey.get(steps.join());
    if (known !== undefined) return this.#set(state, byte, known);
    if (this.#states.length < MAX_STATES) return this.#set(state, byte, this.#addState(steps));
    this.#reset(); // Rows before have no meaning after it, so this text is searched.
    return FOUND;
  }

  /** Almost all transitions need few of the first steps. */
  #startsWith(character: string): readonly number[] {
    const known = this.#startsByCharacter.get(character);
    const starts = known ?? this.#starts.filter((index) => this.#steps[index]!.accepts(character));
    this.#startsByCharacter.set(character, starts);
    return starts;
  }

  #addState(steps: readonly number[]): number {
    const state = (this.#states.push(steps) - 1) * BYTES;
    this.#byKey.set(steps.join(), state);
    if (state + BYTES <= this.#table.length) return state;
    const before = this.#table;
    this.#table = new Uint32Array(2 * before.length);
    this.#table.set(before);
    return state;
  }

  #set(state: number, byte: number, next: number): number {
    this.#table[state + byte] = next;
    return next;
  }
}

/** @returns `UNKNOWN` if a transition is missing, `FOUND`, or `START` for neither. */
function scan(table: Uint32Array, bytes: Uint8Array, start: number, quarter: number, end: number): number {
  let [one, two, three, four] = [START, START, START, START];
  const [second, third, fourth] = [start + quarter, start + 2 * quarter, start + 3 * quarter];
  // Each transition waits for the one before. Those of all quarters run at the same time.
  for (let at = 0; at < quarter; at++) {
    one = table[one + bytes[start + at]!]!;
    two = table[two + bytes[second + at]!]!;
    three = table[three + bytes[third + at]!]!;
    four = table[four + bytes[fourth + at]!]!;
    // One comparison for all: it is true if one of them is `UNKNOWN` or `FOUND`.
    if (((one - START) | (two - START) | (three - START) | (four - START)) < 0) {
      return Math.min(one, two, three, four);
    }
  }
  for (let at = fourth + quarter; at < end && four > FOUND; at++) four = table[four + bytes[at]!]!;
  return Math.min(
    goOn(table, bytes, one, second, end),
    goOn(table, bytes, two, third, end),
    goOn(table, bytes, three, fourth, end),
    four <= FOUND ? four : START,
  );
}

/** What has started before `from` may end behind it, until the state is the same as without it. */
function goOn(table: Uint32Array, bytes: Uint8Array, before: number, from: number, end: number): number {
  let [state, again] = [before, START];
  for (let at = from; at < end && state !== again && state > FOUND; at++) {
    state = table[state + bytes[at]!]!;
    again = table[again + bytes[at]!]!;
  }
  return state <= FOUND ? state : START;
}

function matching(regex: RegExp): CharacterTest {
  return (character) => regex.test(character);
}

function sameLetter(letter: string): CharacterTest {
  return (character) => character.toLowerCase() === letter.toLowerCase();
}

function nameSteps(name: string): Sequence {
  const separator = matching(SEPARATORS);
  const letters = [...name].map((letter, index): Sequence[number] => {
    return [sameLetter(letter), index === 0 ? undefined : separator];
  });
  return [...letters, [matching(NAME_END), matching(AFTER_NAME)]];
}

function triggerSteps(trigger: Trigger): Sequence {
  return [...trigger.matchAll(/([³⁵]?)(.)/g)].map(([, skips = '', character = '']) => {
    const placeholder = PLACEHOLDERS[character];
    return [
      placeholder ? matching(placeholder) : sameLetter(character),
      SKIPS[skips] && matching(SKIPS[skips]),
    ];
  });
}

/** 13 digits, of which the first is that of a card. */
function cardSteps(): Sequence {
  const digits = Array.from({ length: 12 }, (): Sequence[number] => [matching(/\d/), matching(/[ -]/)]);
  return [[matching(/\D/)], [matching(/[2-6]/)], ...digits];
}
