import { Writable } from 'node:stream';
import * as ascii from '../../src/core/ascii.ts';
import { Warnings } from '../../src/ingest/report/warnings.ts';
import { realWorld } from '../../src/ingest/world.ts';

/**
 * Replaces a stream that could not be opened in pino's worker. It drops all records and reports their number on stderr
 * when it closes; the transport emits the error. Without it, pino would block the program for ten seconds, and other targets would receive nothing.
 */
export function droppingStream(): Writable {
  let dropped = 0;
  return new Writable({
    write(chunk: Buffer, _encoding, callback) {
      for (const byte of chunk) if (byte === ascii.NEWLINE) dropped++;
      callback();
    },
    destroy(error, callback) {
      if (dropped > 0) {
        const messageFor = (count: number): string =>
          `Records dropped because the transport could not start: ${count}.`;
        new Warnings({ world: realWorld }).reportLoss('closed', dropped, messageFor);
      }
      callback(error);
    },
  });
}
