import type { IngestFlags } from './ingest-flags.ts';
import type { IngestService } from './ingest-service.ts';
import type { ShippingTally } from './shipping-tally.ts';

/** Time to deliver queued lines after the command is stopped. */
export const LAST_SEND_MS = 5_000;

/** After this many rejected lines without an accepted one, the command gives up. */
export const MAX_FIRST_REFUSALS = 10;

/** State shared by the shippers of one command. */
export interface Shipping {
  readonly service: IngestService;
  readonly flags: IngestFlags;
  readonly tally: ShippingTally;
  /** Aborts when delivery has failed or the command is stopped. */
  readonly signal: AbortSignal;
  /** How long to retry while the service accepts nothing, in milliseconds. */
  readonly retryTimeoutMs: number;
  /** Ends the command with this error or signal. */
  readonly stop: (reason: unknown) => void;
  /** Writes a note to stderr, unless `--quiet`. */
  readonly say: (message: string) => void;
  /** Reports a failed call that will be retried. */
  readonly sayWait: (delayMs: number, error: Error) => void;
}
