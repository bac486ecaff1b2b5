import * as ascii from '../../core/ascii.ts';
import { BufferPool } from '../batch/buffer-pool.ts';
import { MAX_BYTES_PER_UNIT } from '../record/line-bytes.ts';

interface Page {
  readonly memory: Buffer;
  /** Number of bytes before it, in 32 bits. */
  readonly start: number;
  used: number;
}

const PAGE_BYTES = 64 * 1024;

const MAX_SPARE_BYTES = 1024 * 1024;

/** Keeps lines until the worker has accepted them, in case it crashes. Counts bytes in 32 bits, like the worker. */
export class OutgoingLines {
  /** Oldest first. Only the last one is written to. */
  readonly #pages: Page[] = [];
  readonly #spares = new BufferPool(MAX_SPARE_BYTES);
  pushedBytes: number;
  sentBytes: number;
  /** Number of sent bytes in complete lines. */
  #sentLineBytes: number;

  constructor(bytes = 0) {
    this.pushedBytes = bytes;
    this.sentBytes = bytes;
    this.#sentLineBytes = bytes;
  }

  get unsentBytes(): number {
    return (this.pushedBytes - this.sentBytes) | 0;
  }

  /** Number of bytes that are kept, up to one page too many. */
  get keptBytes(): number {
    const [oldest] = this.#pages;
    return oldest === undefined ? 0 : (this.pushedBytes - oldest.start) | 0;
  }

  /** @param accepted number of bytes in the lines that the worker has accepted. */
  push(text: string, accepted: number): void {
    this.#forget(accepted);
    const page = this.#pageFor(text.length * MAX_BYTES_PER_UNIT);
    const bytes = page.memory.write(text, page.used);
    page.used += bytes;
    this.pushedBytes = (this.pushedBytes + bytes) | 0;
  }

  /** Returns the next unsent bytes, which stay unchanged until they are accepted; `undefined` if all are sent. */
  send(maxBytes: number): Buffer | undefined {
    const sentTo = ({ start }: Page): number => (this.sentBytes - start) | 0;
    const page = this.#pages.find((candidate) => sentTo(candidate) < candidate.used);
    if (page === undefined) return undefined;
    const from = sentTo(page);
    const bytes = page.memory.subarray(from, Math.min(page.used, from + maxBytes));
    const lineBytes = bytes.lastIndexOf(ascii.NEWLINE) + 1;
    if (lineBytes > 0) this.#sentLineBytes = (this.sentBytes + lineBytes) | 0;
    this.sentBytes = (this.sentBytes + bytes.length) | 0;
    return bytes;
  }

  /** True if the worker has accepted every sent line. */
  isAccepted(accepted: number): boolean {
    return ((accepted - this.#sentLineBytes) | 0) >= 0;
  }

  /** Removes and returns the lines that the worker has not accepted. */
  drain(accepted: number): string {
    const texts = this.#pages.map(({ memory, start, used }) =>
      memory.toString('utf8', Math.max(0, (accepted - start) | 0), used),
    );
    this.#pages.length = 0;
    this.sentBytes = this.pushedBytes;
    return texts.join('');
  }

  #forget(accepted: number): void {
    for (let oldest = this.#pages[0]; oldest !== undefined; oldest = this.#pages[0]) {
      if (((accepted - oldest.start) | 0) < oldest.used) return;
      this.#pages.shift();
      if (oldest.memory.length === PAGE_BYTES) this.#spares.giveBack(oldest.memory);
    }
  }

  #pageFor(bytes: number): Page {
    const last = this.#pages.at(-1);
    if (last !== undefined && last.memory.length - last.used >= bytes) return last;
    const memory = this.#spares.take(Math.max(bytes, PAGE_BYTES));
    const page = { memory, start: this.pushedBytes, used: 0 };
    this.#pages.push(page);
    return page;
  }
}
