import type { IngesterStats, Warning } from '../../index.ts';

/** How a copy is shipped: tries again soon, and does not hold up the end of a test whose server is made to fail. */
export const CAPTURE_DELIVERY = { minRetryDelayMs: 20, maxRetryDelayMs: 200, closeTimeoutMs: 2_500 } as const;

/** What keeps the records of a captured logger from arriving. */
export class CaptureTrouble {
  readonly #logger: string;
  #last = '';

  /** @param logger what is captured, for messages. */
  constructor(logger: string) {
    this.#logger = logger;
  }

  /** Kept for the message of a look; of other trouble people are told at once. */
  readonly onWarning = ({ kind, message }: Warning): void => {
    if (kind === 'retry' || kind === 'attention') this.#last = message;
    else if (kind !== 'closed') process.stderr.write(`logclient: ${message}\n`);
  };

  /** What has not arrived, and why; `undefined` when everything has. */
  describe({ queuedRecords, spooledRecords, inFlightRecords }: IngesterStats): string | undefined {
    const count = queuedRecords + spooledRecords + inFlightRecords;
    if (count === 0) return undefined;
    const records = count === 1 ? '1 record' : `${count} records`;
    return `Not delivered: ${records} of the captured ${this.#logger} logger. ${this.#last}`.trimEnd();
  }
}
