import type { StateFolder } from '../store/state-file.ts';
import { ResourceError } from './resource-error.ts';

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
const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

export class Retention {
  readonly #file: ReturnType<StateFolder['file']>;
  #limits: RetentionLimits = {};

  constructor({ folder }: { readonly folder: StateFolder }) {
    this.#file = folder.file('retention.json');
    const saved = this.#file.read();
    if (typeof saved !== 'object' || saved === null) return;
    this.#limits = Object.fromEntries(
      Object.entries(saved).filter(([name, value]) => NAMES.includes(name as never) && isLimit(value)),
    );
  }

  get limits(): RetentionLimits {
    return this.#limits;
  }

  /** Maximum age of events, in milliseconds. */
  get maxAgeMs(): number {
    return (this.#limits.timeBasedRetention ?? Number.POSITIVE_INFINITY) * DAY_MS;
  }

  /** Maximum size of all events, in bytes. Stored size equals ingested size here. */
  get maxBytes(): number {
    const { ingestSizeBasedRetention: ingested, storageSizeBasedRetention: stored } = this.#limits;
    return Math.min(ingested ?? Number.POSITIVE_INFINITY, stored ?? Number.POSITIVE_INFINITY) * GIB;
  }

  /**
   * Changes limits: `null` removes one, missing members stay unchanged.
   *
   * @throws ResourceError for a limit that is not above 0.
   */
  set(changes: RetentionChanges): void {
    checkRetention(changes);
    const limits: Record<string, number | undefined> = { ...this.#limits };
    for (const name of NAMES) {
      const value = changes[name];
      if (value !== undefined) limits[name] = value ?? undefined;
    }
    this.#limits = limits;
    this.#file.write(limits);
  }
}

/** @throws ResourceError for a limit that is not above 0. */
export function checkRetention(changes: RetentionChanges): void {
  for (const name of NAMES) {
    const value = changes[name];
    if (value === undefined || value === null || isLimit(value)) continue;
    throw new ResourceError('invalid', `${name} must be above 0, or null for no limit.`, {
      [name]: 'invalid',
    });
  }
}

/** Converts milliseconds and bytes to the API's days and GiB. */
export function retentionOf(given: {
  readonly ageMs?: number | undefined;
  readonly ingestBytes?: number | undefined;
  readonly storageBytes?: number | undefined;
}): RetentionLimits {
  const scaled = (value: number | undefined, unit: number): number | undefined =>
    value === undefined ? undefined : value / unit;
  return {
    timeBasedRetention: scaled(given.ageMs, DAY_MS),
    ingestSizeBasedRetention: scaled(given.ingestBytes, GIB),
    storageSizeBasedRetention: scaled(given.storageBytes, GIB),
  };
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
