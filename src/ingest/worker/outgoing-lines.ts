import { BufferPool } from '../batch/buffer-pool.ts';
import { countLines } from './worker-progress.ts';

/** A buffer of text for the worker. */
interface Page {
  readonly memory: Buffer;
  /** Number of bytes written to it. */
  used: number;
  /** Number of bytes sent to the worker. */
  sent: number;
  /** Number of newlines before it, in 32 bits. */
  linesBefore: number;
  /** Number of newlines in it. */
  lines: number;
  isAtLineStart: boolean;
}

const PAGE_BYTES = 64 * 1024;

const MAX_SPARE_BYTES = 1024 * 1024;

/** Maximum UTF-8 size of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Buffers lines for a worker until they are sent, and keeps them until the worker has accepted them, so that a crash of
 * the worker does not lose them. Reuses its memory.
 */
export class OutgoingLines {
  /** Oldest first. Only the last one is written to. */
  readonly #pages: Page[] = [];
  readonly #spares = new BufferPool(MAX_SPARE_BYTES);
  /** Number of pushed lines, in 32 bits. */
  #lines: number;
  #unsentBytes = 0;
  #keptBytes = 0;
  /** Number of sent lines, in 32 bits. */
  #sentLines: number;

  /** @param lines number of lines before the first one, in 32 bits. */
  constructor(lines = 0) {
    this.#lines = lines;
    this.#sentLines = lines;
  }

  /** Number of bytes that are not sent. */
  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  /** Number of bytes that are kept, up to one page too many. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** @param accepted number of lines that the worker has accepted, in 32 bits. */
  push(text: string, accepted: number): void {
    this.#forget(accepted);
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
   * Returns the next unsent bytes, which do not change until the worker has accepted them.
   *
   * @returns `undefined` if everything is sent.
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

  /** True if the worker has accepted every sent line. */
  isAccepted(accepted: number): boolean {
    return ((accepted - this.#sentLines) | 0) >= 0;
  }

  /** Removes and returns the lines that the worker has not accepted. */
  drain(accepted: number): string {
    const texts = this.#pages.map(({ memory, used, linesBefore }) =>
      afterLines(memory.toString('utf8', 0, used), (accepted - linesBefore) | 0),
    );
    this.#pages.length = 0;
    this.#unsentBytes = 0;
    this.#keptBytes = 0;
    return texts.join('');
  }

  #forget(accepted: number): void {
    for (let oldest = this.#pages[0]; oldest !== undefined; oldest = this.#pages[0]) {
      const end = oldest.linesBefore + oldest.lines + (oldest.isAtLineStart ? 0 : 1);
      if (oldest.sent < oldest.used || ((accepted - end) | 0) < 0) return;
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

/** The text without its first lines. */
function afterLines(text: string, lines: number): string {
  let from = 0;
  for (let n = 0; n < lines && from !== -1; n++) from = text.indexOf('\n', from) + 1 || -1;
  return from === -1 ? '' : text.slice(from);
}
