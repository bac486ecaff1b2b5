/** The entry of the worker thread of `createPinoTransport`. */
import type { ReportingLineStream } from '../../src/ingest/worker/reporting-line-stream.ts';
import { startWorker } from '../../src/ingest/worker/start-worker.ts';
import type { WorkerSettings } from '../../src/ingest/worker/worker-protocol.ts';
import { pinoLineMapper } from './pino-mapper.ts';

export default function startPinoWorker(settings: WorkerSettings): ReportingLineStream {
  return startWorker(settings, pinoLineMapper);
}
