import type { IngestFlags } from './ingest-flags.ts';
import type { IngestService } from './ingest-service.ts';
import type { ShippingTally } from './shipping-tally.ts';

/** What waits may still be delivered when the command is stopped. */
export const LAST_SEND_MS = 5_000;

/** A service that refuses so many lines before it has taken one refuses them all. */
export const MAX_FIRST_REFUSALS = 10;

/** What those share who ship the lines of one command. */
export interface Shipping {
  readonly service: IngestService;
  readonly flags: IngestFlags;
  readonly tally: ShippingTally;
  /** Aborts when there is no point in reading on: lines could not be delivered, or the command is stopped. */
  readonly signal: AbortSignal;
  /** How long to go on while the service takes nothing. */
  readonly patienceMs: number;
  /** Ends the command for this reason. */
  readonly stop: (reason: unknown) => void;
  /** Tells people something, unless they don't want to hear it. */
  readonly say: (message: string) => void;
  /** Tells them that a call failed and is made again. */
  readonly sayWait: (delayMs: number, error: Error) => void;
}
