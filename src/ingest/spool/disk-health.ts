import { isWithin } from '../../core/clock.ts';
import { sentence } from '../../core/sentence.ts';
import type { SpoolSettings } from './spool-options.ts';

/** Delay before a failed disk is used again. */
const REST_MS = 1_000;

/** Tracks whether the disk is writable, and reports when that changes. */
export class DiskHealth {
  readonly #settings: SpoolSettings;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** True after a failure, until all records are on disk. */
  isFailing = false;

  constructor(settings: SpoolSettings) {
    this.#settings = settings;
  }

  /** Runs a disk operation. @returns false if it failed. */
  try(nowMs: number, work: () => void): boolean {
    try {
      work();
      this.#failedAt = Number.NEGATIVE_INFINITY;
      return true;
    } catch (error) {
      this.#failedAt = nowMs;
      this.#reportFailure((error as Error).message);
      return false;
    }
  }

  /** True shortly after a failure, when another attempt would probably fail. */
  isResting(nowMs: number): boolean {
    return isWithin(REST_MS, this.#failedAt, nowMs);
  }

  recovered(): void {
    if (!this.isFailing || this.#failedAt !== Number.NEGATIVE_INFINITY) return;
    this.isFailing = false;
    this.#settings.onTrouble(`The spool ${this.#settings.directory} is writable again.`);
  }

  #reportFailure(message: string): void {
    if (this.isFailing) return;
    this.isFailing = true;
    const { directory, onTrouble } = this.#settings;
    onTrouble(
      `Can't write to the spool ${directory}: ${sentence(message)} New records are kept in memory until writing succeeds; a restart before that loses them.`,
    );
  }
}
