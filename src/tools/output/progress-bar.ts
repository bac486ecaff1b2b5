import { performance } from 'node:perf_hooks';
import { bar } from './bar.ts';
import type { cutTo } from './text-width.ts';

/** Faster queries show no bar. */
const SHOW_AFTER_MS = 400;
const MIN_INTERVAL_MS = 80;
const BAR_WIDTH = 24;
/** Leaves space for the `^C` that the terminal prints: a line that wraps can't be cleared. */
const ECHO_WIDTH = 3;

/** The progress of a long query, on one terminal line that is cleared before other output. */
export class ProgressBar {
  readonly #stream: NodeJS.WriteStream;
  readonly #startedAt = performance.now();
  #writtenAt = Number.NEGATIVE_INFINITY;
  #isOnScreen = false;
  /** Known before a bar is shown: to load the widths of characters takes 20 ms. */
  #cutTo: typeof cutTo | undefined;

  /** @param isWanted `false` disables the bar. It never shows on a stream that is not a terminal. */
  constructor(stream: NodeJS.WriteStream, isWanted: boolean) {
    this.#stream = stream;
    const isShown = isWanted && stream.isTTY === true && process.env.TERM !== 'dumb';
    if (isShown) import('./text-width.ts').then((module) => (this.#cutTo = module.cutTo));
  }

  /** @param progress from 0 to 1. */
  update(progress: number, note: string): void {
    const now = performance.now();
    if (this.#cutTo === undefined || now - this.#startedAt < SHOW_AFTER_MS) return;
    if (now - this.#writtenAt < MIN_INTERVAL_MS) return;
    this.#writtenAt = now;
    this.#isOnScreen = true;
    const percent = `${String(Math.floor(progress * 100)).padStart(3)} %`;
    const line = `${bar(progress, 1, BAR_WIDTH).padEnd(BAR_WIDTH, '░')} ${percent}  ${note}`;
    const room = (this.#stream.columns ?? 80) - ECHO_WIDTH;
    this.#stream.write(`\r\u001b[K${this.#cutTo(line, Math.max(1, room))}`);
  }

  clear(): void {
    if (this.#isOnScreen) this.#stream.write('\r\u001b[K');
    this.#isOnScreen = false;
  }
}
