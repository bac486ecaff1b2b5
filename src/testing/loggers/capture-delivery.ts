import { countText } from '../../core/count-text.ts';
import type { DropReason, IngesterOptions, IngesterStats, Warning } from '../../index.ts';

/** Destination of the copy. */
export type CaptureConnection = Pick<IngesterOptions, 'baseUrl' | 'ingestToken' | 'fetch' | 'redact'>;

/** Dropped records, counted by reason. */
export type DropCounts = Readonly<Partial<Record<DropReason, number>>>;

/** Ships a copy of a logger's records. */
export interface LoggerCapture {
  /** Resolves when all records logged before the call are delivered. */
  flush(): Promise<void>;
  /** Number of undelivered records, and why; `undefined` if there are none. */
  undelivered(): string | undefined;
  dropped(): DropCounts;
  /** Why the logger may log nothing. */
  hint(): string | undefined;
  /** Restores the logger. */
  stop(): Promise<void>;
}

/** Retries soon, and doesn't delay the end of a test with simulated failures. */
export const CAPTURE_DELIVERY = { minRetryDelayMs: 20, maxRetryDelayMs: 200, closeTimeoutMs: 2_500 } as const;

/** The reason why records of a captured logger don't arrive. */
export class CaptureTrouble {
  readonly #logger: string;
  #last = '';

  /** @param logger name of the logger, for messages. */
  constructor(logger: string) {
    this.#logger = logger;
  }

  /** Keeps delivery warnings for the assertion's message, and reports others immediately. */
  readonly onWarning = ({ kind, message }: Warning): void => {
    if (kind === 'retry' || kind === 'attention') this.#last = message;
    else if (kind !== 'closed') process.stderr.write(`logclient: ${message}\n`);
  };

  /** Number of undelivered records, and why; `undefined` if all were delivered. */
  describe({ queuedRecords, spooledRecords, inFlightRecords }: IngesterStats): string | undefined {
    const count = queuedRecords + spooledRecords + inFlightRecords;
    if (count === 0) return undefined;
    return `Not delivered: ${countText(count, 'record')} of the captured ${this.#logger} logger. ${this.#last}`.trimEnd();
  }
}

/** Explains that the level of a logger drops records; `undefined` for its lowest level. */
export function levelHint(logger: string, level: string, lowest: string): string | undefined {
  if (level === lowest) return undefined;
  const consequence = level === 'silent' ? 'so it logs nothing' : 'so it logs nothing below that';
  return `The captured ${logger} logger has the level "${level}", ${consequence}.`;
}
