import { BufferPool } from '../batch/buffer-pool.ts';
import { countLines } from './worker-progress.ts';

/** Text on its way to the worker, as bytes. */
interface Page {
  readonly memory: Buffer;
  /** How much of it is written. */
  used: number;
  /** How much of that was given to the worker's thread. */
  sent: number;
  /** How many lines had ended before it, in 32 bits. */
  linesBefore: number;
  /** How many lines end in it. */
  lines: number;
  isAtLineStart: boolean;
}

const PAGE_BYTES = 64 * 1024;

const MAX_SPARE_BYTES = 1024 * 1024;

/** UTF-8 takes at most this many bytes for a unit of a string. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * What is written for a worker: gathered until it is sent, and kept until the worker has taken it over, so that it does
 * not go with the worker. Its memory is used again and again.
 */
export class OutgoingLines {
  /** The oldest first. Only the last one is written to. */
  readonly #pages: Page[] = [];
  readonly #spares = new BufferPool(MAX_SPARE_BYTES);
  #lines: number;
  #unsentBytes = 0;
  #keptBytes = 0;
  /** How many lines have ended in what was sent, in 32 bits. */
  #sentLines: number;

  /** @param lines how many lines have ended, in 32 bits. */
  constructor(lines = 0) {
    this.#lines = lines;
    this.#sentLines = lines;
  }

  /** How much was pushed and not sent. */
  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  /** How much is kept, a page more or less. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** @param taken how many lines the worker has taken over, in 32 bits. */
  push(text: string, taken: number): void {
    this.#forget(taken);
    const page = this.#pageFor(text.length * MAX_BYTES_PER_UNIT);
    const bytes = page.memory.write(text, page.used);
    const lines = countLines(text);
    page.used += bytes;
    page.lines += lines;
    if (bytes > 0) page.isAtLineStart = text.endsWith('\n');
    this.#lines = (this.#lines + lines) | 0;
    this.#unsentBytes += bytes;
    this.#keptBytes += bytes;
  }

  /**
   * The next of what was not sent. The bytes stay as they are until the worker has taken them over.
   *
   * @param maxBytes so much at most.
   * @returns `undefined` when all is sent.
   */
  send(maxBytes: number): Buffer | undefined {
    const page = this.#pages.find(({ sent, used }) => sent < used);
    if (page === undefined) return undefined;
    const bytes = page.memory.subarray(page.sent, Math.min(page.used, page.sent + maxBytes));
    page.sent += bytes.length;
    this.#unsentBytes -= bytes.length;
    const isAll = page.sent === page.used;
    const lines = isAll ? page.lines : countLines(page.memory.toString('latin1', 0, page.sent));
    this.#sentLines = (page.linesBefore + lines) | 0;
    return bytes;
  }

  /** Whether the worker has taken over every line whose end was sent. */
  isTaken(taken: number): boolean {
    return ((taken - this.#sentLines) | 0) >= 0;
  }

  /** Gives out what the worker has not taken over, and forgets it. */
  drain(taken: number): string {
    const texts = this.#pages.map(({ memory, used, linesBefore }) =>
      afterLines(memory.toString('utf8', 0, used), (taken - linesBefore) | 0),
    );
    this.#pages.length = 0;
    this.#unsentBytes = 0;
    this.#keptBytes = 0;
    return texts.join('');
  }

  #forget(taken: number): void {
    for (let oldest = this.#pages[0]; oldest !== undefined; oldest = this.#pages[0]) {
      const takenBy = oldest.linesBefore + oldest.lines + (oldest.isAtLineStart ? 0 : 1);
      if (oldest.sent < oldest.used || ((taken - takenBy) | 0) < 0) return;
      this.#pages.shift();
      this.#keptBytes -= oldest.used;
      if (oldest.memory.length === PAGE_BYTES) this.#spares.giveBack(oldest.memory);
    }
  }

  #pageFor(bytes: number): Page {
    const last = this.#pages.at(-1);
    if (last !== undefined && last.memory.length - last.used >= bytes) return last;
    const page = emptyPage(this.#spares.take(Math.max(bytes, PAGE_BYTES)), this.#lines);
    this.#pages.push(page);
    return page;
  }
}

function emptyPage(memory: Buffer, linesBefore: number): Page {
  return { memory, used: 0, sent: 0, linesBefore, lines: 0, isAtLineStart: true };
}

/** The text behind its first lines. */
function afterLines(text: string, lines: number): string {
  let from = 0;
  for (let n = 0; n < lines && from !== -1; n++) from = text.indexOf('\n', from) + 1 || -1;
  return from === -1 ? '' : text.slice(from);
}
