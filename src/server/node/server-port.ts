import { LogOptionsException } from '../../core/errors.ts';
import { refuseUnknownOptions, requireInteger } from '../../core/option-checks.ts';
import { MAX_TIMER_MS } from '../../core/timer-limit.ts';
import { connectionLost } from '../environment.ts';
import type { ClosePortOptions, Faults } from '../faults/fault.ts';
import type { Listener } from './listener.ts';

/** Delay before the next attempt to reopen the port. */
const REOPEN_EVERY_MS = 100;

/** A server's port, or `server.fetch` alone, which can be closed for a while. */
export class ServerPort implements Pick<Faults, 'closePort' | 'openPort'> {
  readonly #listener: Listener | undefined;
  readonly #onWarning: (message: string) => void;
  #open: AbortController | undefined = new AbortController();
  #ended = false;
  /** Number of closures, which cancels a planned reopening of an earlier one. */
  #closures = 0;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(listener: Listener | undefined, onWarning: (message: string) => void) {
    this.#listener = listener;
    this.#onWarning = onWarning;
  }

  /** Aborts when connections are dropped; `undefined` while the port is closed. */
  get cut(): AbortSignal | undefined {
    return this.#open?.signal;
  }

  async closePort(options: ClosePortOptions = {}): Promise<void> {
    refuseUnknownOptions('faults.closePort', options, ['forMs']);
    const { forMs } = options;
    if (forMs !== undefined) requireInteger('faults.closePort', 'forMs', forMs, { max: MAX_TIMER_MS });
    await this.#next(async () => {
      if (this.#ended) return;
      const closure = ++this.#closures;
      clearTimeout(this.#timer);
      this.#open?.abort(connectionLost());
      this.#open = undefined;
      await this.#listener?.pause();
      if (forMs !== undefined) this.#reopenIn(forMs, closure);
    });
  }

  async openPort(): Promise<void> {
    await this.#next(async () => {
      if (this.#ended) throw new LogOptionsException('faults.openPort: the server is closed.');
      if (this.#open !== undefined) return;
      await this.#listener?.resume();
      clearTimeout(this.#timer);
      this.#open = new AbortController();
    });
  }

  /** Closes the port for good, after the responses in flight. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#work;
    clearTimeout(this.#timer);
    await this.#listener?.close();
  }

  /** The timer keeps the process alive, as the port would. */
  #reopenIn(delayMs: number, closure: number, hasWarned = false): void {
    if (this.#ended || closure !== this.#closures) return;
    this.#timer = setTimeout(() => void this.#reopen(closure, hasWarned), delayMs);
  }

  async #reopen(closure: number, hasWarned: boolean): Promise<void> {
    if (this.#ended || closure !== this.#closures) return;
    try {
      await this.openPort();
    } catch (error) {
      if (this.#ended) return;
      if (!hasWarned) this.#onWarning(`${(error as Error).message} The server keeps trying.`);
      this.#reopenIn(REOPEN_EVERY_MS, closure, true);
    }
  }

  #next(step: () => Promise<void>): Promise<void> {
    const result = this.#work.then(step);
    this.#work = result.catch(() => {});
    return result;
  }
}
