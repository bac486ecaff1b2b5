import { type MessagePort, type Worker, workerData } from 'node:worker_threads';
import ThreadStream from 'thread-stream';
import { workerFlags } from '../../core/worker-flags.ts';
import { workerProgram } from './worker-program.ts';
import type { WorkerSettings } from './worker-protocol.ts';

/** A thread-stream, including members that its types omit. */
export interface WorkerThread extends Omit<ThreadStream, 'write'> {
  write(data: string | Buffer): boolean;
  readonly worker: Worker;
  readonly destroyed: boolean;
  unref(): void;
}

/** Size of the shared memory. The worker reads it as one string, which should be cheap to collect as garbage. */
export const SHARED_BYTES = 1024 * 1024;

/** @throws Error if no worker can be created. */
export function startWorkerThread(settings: WorkerSettings): WorkerThread {
  const options = {
    // In our build, thread-stream runs this instead of a file.
    program: workerProgram(),
    filename: '',
    bufferSize: SHARED_BYTES,
    // `WorkerWriter` only writes what fits.
    sync: true,
    workerData: settings,
    workerOpts: {
      name: 'logclient',
      eval: true,
      execArgv: workerFlags(),
      // Records are short-lived: a larger young generation would only fill up with garbage.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      transferList: [settings.port as MessagePort],
    },
  };
  return new ThreadStream(options) as unknown as WorkerThread;
}

/** True in such a worker. A logger that is preloaded there must not start another worker. */
export function isDeliveryWorker(): boolean {
  const data = workerData as { workerData?: Partial<WorkerSettings> } | null;
  return data?.workerData?.logclientWorker === true;
}
