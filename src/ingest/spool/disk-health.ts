import { isWithin } from '../../internal/clock.ts';

/** Delay before a failed disk is used again. */
const REST_MS = 1_000;

export interface DiskHealthOptions {
  /** Directory of the spool, for messages. */
  readonly directory: string;
  /** Called when the disk fails or recovers. */
  readonly onTrouble: (message: string) => void;
  /** Called with each failed operation. */
  readonly onFailure: () => void;
}

/** Tracks whether the disk is writable, and reports when that changes. */
export class DiskHealth {
  readonly #options: DiskHealthOptions;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** True if a failure was reported. */
  #hasReported = false;

  constructor(options: DiskHealthOptions) {
    this.#options = options;
  }

  /** Runs a disk operation. @returns false if it failed. */
  try(nowMs: number, work: () => void): boolean {
    try {
      work();
      this.#failedAt = Number.NEGATIVE_INFINITY;
      return true;
    } catch (error) {
      this.#failedAt = nowMs;
      this.#options.onFailure();
      if (!this.#hasReported) this.#reportFailure((error as Error).message);
      return false;
    }
  }

  /** True after a failure, until all records are on disk. */
  get isFailing(): boolean {
    return this.#hasReported;
  }

  /** True shortly after a failure, when another attempt would probably fail. */
  isResting(nowMs: number): boolean {
    return isWithin(REST_MS, this.#failedAt, nowMs);
  }

  /** Called when all records are on disk. */
  recovered(): void {
    if (!this.#hasReported || this.#failedAt !== Number.NEGATIVE_INFINITY) return;
    this.#hasReported = false;
    this.#options.onTrouble(`The spool ${this.#options.directory} is writable again.`);
  }

  #reportFailure(message: string): void {
    this.#hasReported = true;
    const { directory, onTrouble } = this.#options;
    onTrouble(
      `Can't write to the spool ${directory}: ${message}. New records are kept in memory until writing succeeds; a restart before that loses them.`,
    );
  }
}
