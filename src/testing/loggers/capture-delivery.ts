import { countText } from '../../core/count-text.ts';
import type { DropReason, IngesterOptions, IngesterStats, Warning } from '../../index.ts';

/** Destination of the copy. */
export type CaptureConnection = Pick<
  IngesterOptions,
  'baseUrl' | 'ingestToken' | 'fetch' | 'redact' | 'tags'
>;

/** Dropped records, counted by reason. */
export type DropCounts = Readonly<Partial<Record<DropReason, number>>>;

/** Fields with their values, such as those of a record that depend on its level: `{ level: 'info' }`. */
export type KnownFields = Readonly<Record<string, string>>;

/** A logger whose records, or a copy of them, are shipped to the server of the test. */
export interface TestedLogger {
  /** Resolves when all records logged before the call are delivered. */
  flush(): Promise<unknown>;
  /** Number of undelivered records, and why; `undefined` if there are none. */
  undelivered(): string | undefined;
  /**
   * The levels that it logs now, as fields of its records; `undefined` if they are unknown.
   *
   * @param arrived those of the records that have arrived
   */
  levels(arrived: ReadonlySet<string>): readonly KnownFields[] | undefined;
  /** The field for the message; `undefined` if it is unknown. */
  readonly messageKey?: string | undefined;
  /** The tags of all its records: `{ '#service': 'shop' }`; `undefined` if they are unknown. */
  readonly tags?: KnownFields | undefined;
  /** Number of records that have arrived; infinite if it is unknown. */
  delivered(): number;
  /** Why its records no longer arrive; `undefined` if they do. */
  lost(): string | undefined;
  /** Records dropped since then. */
  dropped(): DropCounts;
  /** Number of dropped records, and why; `undefined` if there are none. */
  losses(): string | undefined;
  /** Restores the logger. */
  stop(): Promise<void> | void;
}

/** Retries soon, and doesn't delay the end of a test with simulated failures. */
export const CAPTURE_DELIVERY = { minRetryDelayMs: 20, maxRetryDelayMs: 200, closeTimeoutMs: 2_500 } as const;

/** The reason why records of a logger don't arrive. */
export class DeliveryTrouble {
  readonly #logger: string;
  #last = '';
  #lastLoss = '';

  /** @param logger for messages, such as `captured pino logger`. */
  constructor(logger: string) {
    this.#logger = logger;
  }

  /** Keeps delivery warnings for the assertion's message. @returns false for others. */
  readonly keep = ({ kind, message }: Warning): boolean => {
    const isRetried = kind === 'retry' || kind === 'attention';
    if (isRetried) this.#last = message;
    // Without its number, which is only that of the records since the last warning.
    else if (kind !== 'spool') this.#lastLoss = message.replace(/^.*? dropped: /, '');
    return isRetried;
  };

  /** Reports the others immediately. */
  readonly onWarning = (warning: Warning): void => {
    if (!this.keep(warning) && warning.kind !== 'closed') {
      process.stderr.write(`logclient: ${warning.message}\n`);
    }
  };

  /** Number of undelivered records, and why; `undefined` if all were delivered. */
  describe({ queuedRecords, spooledRecords, inFlightRecords }: IngesterStats): string | undefined {
    const count = queuedRecords + spooledRecords + inFlightRecords;
    if (count === 0) return undefined;
    return `Not delivered: ${countText(count, 'record')} of the ${this.#logger}. ${this.#last}`.trimEnd();
  }

  /** Number of dropped records, and why; `undefined` if there are none. */
  describeLosses(counts: DropCounts): string | undefined {
    const text = dropsText([counts]);
    if (text === '') return undefined;
    return `Dropped records of the ${this.#logger}: ${text}. ${this.#lastLoss}`.trimEnd();
  }
}

/** Why records of loggers have not arrived. */
export function undelivered(loggers: readonly TestedLogger[]): string[] {
  return [...loggers.flatMap((logger) => logger.undelivered() ?? []), ...losses(loggers)];
}

/** Why records of loggers will never arrive. */
export function losses(loggers: readonly TestedLogger[]): string[] {
  return loggers.flatMap((logger) => logger.losses() ?? []);
}

/** Dropped records by reason: `1 overflow, 2 rejected`. */
export function dropsText(counts: readonly DropCounts[]): string {
  const drops = counts.flatMap((each) => Object.entries(each)).filter(([, count]) => count > 0);
  return drops.map(([reason, count]) => `${count} ${reason}`).join(', ');
}

/** The levels that loggers log, as a sentence. */
export function levelsText(levels: readonly KnownFields[]): string {
  const names = new Set(levels.flatMap((fields) => Object.values(fields)));
  return `The captured and tracked loggers log ${[...names].join(', ') || 'nothing'}.`;
}
