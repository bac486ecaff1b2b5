/** Entry of the worker thread of `createPinoTransport`. */
import type { LineStream } from '../../src/ingest/line-stream.ts';
import { startWorker } from '../../src/ingest/worker/start-worker.ts';
import type { WorkerSettings } from '../../src/ingest/worker/worker-protocol.ts';
import { pinoLineMapper } from './pino-mapper.ts';

export default function startPinoWorker(settings: WorkerSettings): LineStream {
  return startWorker(settings, pinoLineMapper);
}
