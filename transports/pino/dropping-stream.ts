import { Writable } from 'node:stream';
import { safeText } from '../../src/ingest/record/safe-json.ts';
import { Warnings } from '../../src/ingest/report/warnings.ts';
import { systemClock } from '../../src/internal/clock.ts';

const NEWLINE = 0x0a;

/**
 * Replaces a stream that could not be opened in pino's worker. It drops all records and reports their number on stderr
 * when it closes. Without it, pino would block the program for ten seconds, and other targets would receive nothing.
 */
export class DroppingStream extends Writable {
  readonly #error: unknown;
  #accepted = 0;

  constructor(error: unknown) {
    super();
    this.#error = error;
  }

  get stats(): { readonly accepted: number } {
    return { accepted: this.#accepted };
  }

  flush(callback: () => void): void {
    callback();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    for (const byte of chunk) if (byte === NEWLINE) this.#accepted++;
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.#accepted > 0) {
      new Warnings(systemClock).reportLoss(
        'closed',
        this.#accepted,
        (count) =>
          `Records dropped because the transport could not start: ${count}. ${safeText(this.#error)}`,
      );
    }
    callback(error);
  }
}
