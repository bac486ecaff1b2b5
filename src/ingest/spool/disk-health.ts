import { isWithin } from '../../internal/clock.ts';

/** How long a disk that fails is left alone. */
const REST_MS = 1_000;

export interface DiskHealthOptions {
  /** What people know the spool by. */
  readonly directory: string;
  /** Told when the disk fails, and when it works again. */
  readonly onTrouble: (message: string) => void;
  /** Called each time that it fails. */
  readonly onFailure: () => void;
}

/** Knows whether a disk can be written to, and tells people when that changes. */
export class DiskHealth {
  readonly #options: DiskHealthOptions;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** People have been told that it fails. */
  #isBroken = false;

  constructor(options: DiskHealthOptions) {
    this.#options = options;
  }

  /** Does something with the disk. @returns whether that went well. */
  try(nowMs: number, work: () => void): boolean {
    try {
      work();
      this.#failedAt = Number.NEGATIVE_INFINITY;
      return true;
    } catch (error) {
      this.#failedAt = nowMs;
      this.#options.onFailure();
      this.#broke((error as Error).message);
      return false;
    }
  }

  /** Whether it failed a moment ago, so that there is no use in trying. */
  isResting(nowMs: number): boolean {
    return isWithin(REST_MS, this.#failedAt, nowMs);
  }

  /** Makes it worth a try at once. */
  endRest(): void {
    this.#failedAt = Number.NEGATIVE_INFINITY;
  }

  /** Nothing is in memory any more that should be on the disk. */
  caughtUp(): void {
    if (!this.#isBroken || this.#failedAt !== Number.NEGATIVE_INFINITY) return;
    this.#isBroken = false;
    this.#options.onTrouble(`The spool ${this.#options.directory} is writable again.`);
  }

  #broke(message: string): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const { directory, onTrouble } = this.#options;
    onTrouble(
      `Can't write to the spool ${directory}: ${message}. New records are kept in memory until writing succeeds; a restart before that loses them.`,
    );
  }
}
