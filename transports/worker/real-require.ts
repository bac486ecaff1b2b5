/** Replaces a package with which thread-stream's worker loads a file: here, everything is in one program. */

import { eventLineMapper } from '../../src/ingest/kit/event-line.ts';
import type { LineStream } from '../../src/ingest/line-stream.ts';
import { startWorker } from '../../src/ingest/worker/start-worker.ts';
import type { WorkerSettings } from '../../src/ingest/worker/worker-protocol.ts';
import { autoLineMapper } from '../capture/auto/auto-mapper.ts';
import { pinoLineMapper } from '../pino/pino-mapper.ts';

const MAPPERS = { event: eventLineMapper, pino: pinoLineMapper, auto: autoLineMapper };

export async function realImport(): Promise<{ default: (settings: WorkerSettings) => LineStream }> {
  return { default: (settings) => startWorker(settings, MAPPERS[settings.mapper]) };
}

export const realRequire = realImport;
