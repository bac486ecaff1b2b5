/** Entry of the worker thread of `logclient/auto`. */
import type { LineStream } from '../../src/ingest/line-stream.ts';
import { startWorker } from '../../src/ingest/worker/start-worker.ts';
import type { WorkerSettings } from '../../src/ingest/worker/worker-protocol.ts';
import { autoLineMapper } from './auto-mapper.ts';

export default function startAutoWorker(settings: WorkerSettings): LineStream {
  return startWorker(settings, autoLineMapper);
}
