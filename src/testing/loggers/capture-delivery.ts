import { countText } from '../../core/count-text.ts';
import { isLoopbackName } from '../../core/loopback.ts';
import { UNSCRIPTED_HEADER } from '../../core/wire/unscripted.ts';
import type { Drop, DropReason, IngesterOptions, IngesterStats, Warning } from '../../index.ts';
import { addressesOf } from '../../ingest/report/transport-mark.ts';

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
  /** What becomes of its records. */
  readonly delivery: LoggerDelivery;
  /** Resolves when all records logged before the call are delivered. */
  flush(): Promise<unknown>;
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
  /** Why its records no longer arrive; `undefined` if they do. */
  lost?(): string | undefined;
}

/** A logger whose records are copied. */
export interface CapturedLogger extends TestedLogger {
  /** Restores the logger. */
  stop(): Promise<void>;
}

/** An `Ingester`, a `LogTransport`, or a stream of `logclient/pino`. */
export interface Shipper {
  flush(callback?: () => void): unknown;
  readonly stats?: IngesterStats;
  readonly level?: string | undefined;
  silent?: boolean | undefined;
  on?(event: string, listener: (value: never) => void): unknown;
  off?(event: string, listener: (value: never) => void): unknown;
}

const MISSED =
  'A logger has logged after it was closed or its capture had ended. Check that a record is absent before that.';

const RETRIES: readonly string[] = ['retry', 'attention'] satisfies Warning['kind'][];

/** Retries soon, and doesn't delay the end of a test. Messages of assertions have the warnings of retries. */
export const CAPTURE_DELIVERY = {
  headers: { [UNSCRIPTED_HEADER]: 'true' },
  minRetryDelayMs: 20,
  maxRetryDelayMs: 200,
  closeTimeoutMs: 2_500,
  onWarning({ kind, message }: Warning): void {
    if (!RETRIES.includes(kind) && kind !== 'closed') process.stderr.write(`logclient: ${message}\n`);
  },
} as const;

/** What becomes of the records of a logger, by the events and counters of what ships them. */
export class LoggerDelivery {
  readonly #logger: string;
  readonly #shippers: readonly Shipper[];
  readonly #server: string | undefined;
  readonly #drops: Partial<Record<DropReason, number>> = {};
  #latest: IngesterStats | undefined;
  #lastRetry = '';
  #lastLoss = '';
  /** Whether it has logged when its records could not arrive. */
  hasMissed = false;
  /** Whether a logger of the same kind that no test captures has logged since. */
  hasStranger = false;
  isReleased = false;
  /** Ends what else observes the logger. */
  unwatch = (): void => {};
  readonly #listeners = Object.entries({
    drop: ({ reason, records }: Drop) => {
      this.#drops[reason] = (this.#drops[reason] ?? 0) + records;
    },
    warn: ({ kind, message }: Warning) => {
      if (RETRIES.includes(kind)) this.#lastRetry = message;
      // Without its number, which is only that of the records since the last warning.
      else if (kind !== 'spool')
        this.#lastLoss = message.replace(/^.*? dropped: ./, (start) => start.slice(-1).toUpperCase());
    },
    stats: (stats: IngesterStats) => {
      this.#latest = stats;
    },
  });

  /**
   * @param logger for messages, such as `captured pino logger`
   * @param server URL of the server of the test. Default: the shippers certainly deliver to it
   */
  constructor(logger: string, shippers: readonly object[], server?: string) {
    this.#logger = logger;
    this.#server = server;
    this.#shippers = shippers as readonly Shipper[];
    for (const shipper of this.#shippers) for (const each of this.#listeners) shipper.on?.(...each);
  }

  /** Number of records that have arrived; infinite if it is unknown. */
  get delivered(): number {
    // Without counters, any record may be its own.
    return this.#shippers.reduce((sum, { stats = this.#latest }) => sum + (stats?.delivered ?? Infinity), 0);
  }

  /** Records dropped so far; `undefined` if it is unknown. An ingester has counters, but emits no events. */
  get dropped(): DropCounts | undefined {
    const silent = this.#shippers.find(({ on }) => on === undefined);
    return silent === undefined ? this.#drops : silent.stats?.dropped;
  }

  /** Number of undelivered records, and why; `undefined` if there are none. */
  undelivered(): string | undefined {
    // The stream of pino.transport() only has the event.
    const all = this.#shippers.flatMap(({ stats = this.#latest }) => stats ?? []);
    const waiting = (each: IngesterStats) => each.queuedRecords + each.spooledRecords + each.inFlightRecords;
    const count = all.reduce((sum, each) => sum + waiting(each), 0);
    if (count === 0) return undefined;
    return `Not delivered: ${countText(count, 'record')} of the ${this.#logger}. ${this.#lastRetry}`.trimEnd();
  }

  /** That its records go to other servers; `undefined` if they don't, or if it is unknown. */
  strays(): string | undefined {
    const addresses = this.#server === undefined ? [] : this.#shippers.flatMap(addressesOf);
    const others = addresses.filter((each) => placeOf(each) !== placeOf(this.#server!));
    if (others.length === 0 || others.length < addresses.length) return undefined;
    return `The ${this.#logger} delivers to ${addresses.join(', ')}, not to the server of this test: pass ...logs.connection to its transport.`;
  }

  /** Number of dropped records, and why; `undefined` if there are none. */
  losses(): string | undefined {
    const text = dropsText([this.dropped ?? {}]);
    if (text === '') return undefined;
    return `Dropped records of the ${this.#logger}: ${text}. ${this.#lastLoss}`.trimEnd();
  }

  /** Observes the logger no more. */
  release(): void {
    for (const shipper of this.#shippers) for (const each of this.#listeners) shipper.off?.(...each);
    this.unwatch();
    this.isReleased = true;
  }
}

/** Number of records that captured loggers have logged. */
let logged = 0;

/** Adds the turn of a record among those of all captured loggers to a time in milliseconds. Default: now. */
export function timeInTurn(time: unknown): unknown {
  const now = String(time ?? Date.now());
  const text = /^\d{13}$/.test(now) ? new Date(Number(now)).toISOString() : time;
  if (typeof text !== 'string') return text;
  const turn = String(logged++ % 1_000_000).padStart(6, '0');
  return text.replace(/(?<=^[\d-]{10}T[\d:]{8}\.\d{3})Z$/, `${turn}Z`);
}

/** Why records of loggers have not arrived. */
export function undelivered(loggers: readonly TestedLogger[]): string[] {
  return [...loggers.flatMap(({ delivery }) => delivery.undelivered() ?? []), ...losses(loggers)];
}

/** Why records of loggers will never arrive. */
export function losses(loggers: readonly TestedLogger[]): string[] {
  return loggers.flatMap(({ delivery }) => delivery.losses() ?? []);
}

/** That timers wait, because the test uses fake ones. */
export function fakeTimers(): string[] {
  // Those of vitest, Jest and sinon have a clock; those of node:test are bound.
  const areFake = 'clock' in setTimeout || setTimeout.name.startsWith('bound #');
  return areFake ? ['Fake timers are on: retries and timers of your code wait until you advance them.'] : [];
}

/** Why absent records prove nothing. */
export function lost(loggers: readonly TestedLogger[]): string[] {
  const observed = loggers.filter(({ delivery }) => !delivery.isReleased);
  return observed.flatMap(({ lost, delivery }) => {
    return delivery.strays() ?? lost?.() ?? (delivery.hasMissed ? MISSED : []);
  });
}

/** A server on this computer has several names. */
export function placeOf(address: string): string {
  const { hostname, host, port } = new URL(address);
  return isLoopbackName(hostname) ? port : host;
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
