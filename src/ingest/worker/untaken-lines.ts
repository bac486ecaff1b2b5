import { countLines } from './worker-progress.ts';

interface Entry {
  readonly text: string;
  /** How many lines had ended before this text, in 32 bits. */
  readonly linesBefore: number;
  /** How many lines the worker has taken over when it has all of this text; a line is taken when it has ended. */
  readonly takenBy: number;
}

/** Below this many forgotten entries the array isn't worth moving. */
const COMPACT_AFTER = 4096;

/** What was written for a worker that has not taken it over yet, so that it does not go with the worker. */
export class UntakenLines {
  #entries: Entry[] = [];
  /** Where the oldest entry stands; the places before it are forgotten. */
  #head = 0;
  #lines: number;

  /** @param lines how many lines have ended, in 32 bits. */
  constructor(lines = 0) {
    this.#lines = lines;
  }

  /** @param taken how many lines the worker has taken over, in 32 bits. */
  push(text: string, taken: number): void {
    this.#forget(taken);
    const linesBefore = this.#lines;
    this.#lines = (linesBefore + countLines(text)) | 0;
    const takenBy = text.endsWith('\n') ? this.#lines : (this.#lines + 1) | 0;
    this.#entries.push({ text, linesBefore, takenBy });
  }

  /** Gives out what the worker has not taken over, in order, and forgets it. */
  drain(taken: number): string[] {
    this.#forget(taken);
    const texts = this.#entries
      .slice(this.#head)
      .map(({ text, linesBefore }) => afterLines(text, (taken - linesBefore) | 0));
    this.#entries = [];
    this.#head = 0;
    return texts;
  }

  #forget(taken: number): void {
    let oldest = this.#entries[this.#head];
    while (oldest !== undefined && ((taken - oldest.takenBy) | 0) >= 0) oldest = this.#entries[++this.#head];
    if (oldest === undefined) {
      if (this.#head > 0) this.#entries = [];
      this.#head = 0;
    } else if (this.#head >= COMPACT_AFTER && this.#head * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }
}

/** The text behind its first lines. */
function afterLines(text: string, lines: number): string {
  let from = 0;
  for (let n = 0; n < lines; n++) from = text.indexOf('\n', from) + 1;
  return text.slice(from);
}
