/** The entry of the worker thread of `LogTransport`. */
import type { ReportingLineStream } from '../../src/ingest/worker/reporting-line-stream.ts';
import { startWorker } from '../../src/ingest/worker/start-worker.ts';
import type { WorkerSettings } from '../../src/ingest/worker/worker-protocol.ts';
import { eventLineMapper } from './event-line.ts';

export default function startWinstonWorker(settings: WorkerSettings): ReportingLineStream {
  return startWorker(settings, eventLineMapper);
}
