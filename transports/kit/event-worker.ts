/** Entry of the worker thread for loggers whose records are objects. */
import type { LineStream } from '../../src/ingest/line-stream.ts';
import { startWorker } from '../../src/ingest/worker/start-worker.ts';
import type { WorkerSettings } from '../../src/ingest/worker/worker-protocol.ts';
import { eventLineMapper } from './event-line.ts';

export default function startEventWorker(settings: WorkerSettings): LineStream {
  return startWorker(settings, eventLineMapper);
}
