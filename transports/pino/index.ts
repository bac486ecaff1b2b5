/**
 * The pino transport. In pino's worker:
 *
 * ```ts
 * const logger = pino(pino.transport({ target: 'logclient/pino', options: { baseUrl, ingestToken } }));
 * ```
 *
 * or in the same thread: `pino(createPinoStream({ baseUrl, ingestToken }))`.
 */
import { workerData } from 'node:worker_threads';
import build from 'pino-abstract-transport';
import type { PinoConfig } from './pino-event.ts';
import {
  type PinoStreamOptions,
  type PinoTransportOptions,
  resolvePinoTransportOptions,
} from './pino-options.ts';
import { PinoStream } from './pino-stream.ts';

export type { DroppedRecords, OverflowPolicy } from '../../src/ingest/ingester-options.ts';
export type { DropReason, IngesterStats } from '../../src/ingest/ingester-stats.ts';
export type { Tags } from '../../src/ingest/tags.ts';
export type { Warning, WarningKind } from '../../src/ingest/warnings.ts';
export type { PinoStream, PinoStreamOptions, PinoTransportOptions };

/** How long the worker waits to hear from a logger; a transport without one must not hold up the program. */
const CONFIG_TIMEOUT_MS = 1_000;

/**
 * Called by pino in its worker with the `options` of `pino.transport`.
 *
 * @throws LogOptionsException, which reaches the program as an `error` event of the transport.
 */
export async function pinoTransport(options: PinoTransportOptions = {}): Promise<PinoStream> {
  const stream = new PinoStream(resolvePinoTransportOptions(options));
  await configureFromPino(stream);
  return stream;
}

export default pinoTransport;

/**
 * The same in the program's own thread, for bundled and serverless programs and for hooks. Ends with
 * `stream.end()`; `logger.flush(callback)` calls back when everything is delivered.
 *
 * @throws LogOptionsException
 */
export function createPinoStream(options: PinoStreamOptions = {}): PinoStream {
  return new PinoStream(options);
}

/**
 * Learns the logger's levels. Only the configuration is taken from pino-abstract-transport: its stream parses every
 * line, also when asked for the plain lines.
 */
async function configureFromPino(stream: PinoStream): Promise<void> {
  if (workerData?.workerData?.pinoWillSendConfig !== true) return;
  const configured = build(() => {}, { expectPinoConfig: true }).then((configuredStream) => {
    stream.configure(configuredStream as PinoConfig);
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CONFIG_TIMEOUT_MS);
  });
  await Promise.race([configured, timeout]);
  clearTimeout(timer);
}
