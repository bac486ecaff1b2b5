import { DAY_MS } from '../../core/epoch.ts';
import { lacksTexts, SavedValue } from '../saved-value.ts';
import type { StateFolder } from '../state-folder.ts';
import { invalid } from './resource-error.ts';

/** When the events of a repository are deleted; `undefined` means no limit. */
export interface RetentionLimits {
  /** Maximum age in days. */
  readonly timeBasedRetention?: number | undefined;
  /** Maximum size of ingested data, in GiB. */
  readonly ingestSizeBasedRetention?: number | undefined;
  /** Maximum size of stored data, in GiB. */
  readonly storageSizeBasedRetention?: number | undefined;
}

/** `null` removes a limit. */
export type RetentionChanges = Readonly<Partial<Record<keyof RetentionLimits, number | null | undefined>>>;

const NAMES = ['timeBasedRetention', 'ingestSizeBasedRetention', 'storageSizeBasedRetention'] as const;
export const GIB = 1024 ** 3;

export class Retention {
  readonly #saved: SavedValue<RetentionLimits>;

  constructor({ folder }: { readonly folder: StateFolder }) {
    this.#saved = new SavedValue({ folder, file: 'retention.json', initial: {}, problemOf });
  }

  get limits(): RetentionLimits {
    return this.#saved.get();
  }

  /** Maximum age of events, in milliseconds. */
  get maxAgeMs(): number {
    return (this.limits.timeBasedRetention ?? Number.POSITIVE_INFINITY) * DAY_MS;
  }

  /** Maximum size of all events, in bytes. Stored size equals ingested size here. */
  get maxBytes(): number {
    const { ingestSizeBasedRetention: ingested, storageSizeBasedRetention: stored } = this.limits;
    return Math.min(ingested ?? Number.POSITIVE_INFINITY, stored ?? Number.POSITIVE_INFINITY) * GIB;
  }

  /**
   * Changes limits: `null` removes one, missing members stay unchanged.
   *
   * @throws ResourceError for a limit that is not above 0.
   */
  set(changes: RetentionChanges): void {
    checkRetention(changes);
    const limits: Record<string, number | undefined> = { ...this.limits };
    for (const name of NAMES) {
      const value = changes[name];
      if (value !== undefined) limits[name] = value ?? undefined;
    }
    if (NAMES.some((name) => limits[name] !== this.limits[name])) this.#saved.set(limits);
  }
}

function problemOf(saved: unknown): string | undefined {
  const limits = saved as RetentionLimits;
  const wrong = NAMES.find((name) => limits?.[name] !== undefined && !isLimit(limits[name]));
  return lacksTexts(saved, []) ?? (wrong && `"${wrong}" is not a number above 0`);
}

/** @throws ResourceError for a limit that is not above 0. */
export function checkRetention(changes: RetentionChanges): void {
  for (const name of NAMES) {
    const value = changes[name];
    if (value === undefined || value === null || isLimit(value)) continue;
    throw invalid(`${name} must be above 0, or null for no limit.`, name);
  }
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
