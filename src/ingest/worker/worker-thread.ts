import { type MessagePort, type Worker, workerData } from 'node:worker_threads';
import ThreadStream from 'thread-stream';
import type { WorkerSettings } from './worker-protocol.ts';

/** What thread-stream has and its types leave out. */
export interface WorkerThread extends Omit<ThreadStream, 'write'> {
  write(data: string | Buffer): boolean;
  readonly worker: Worker;
  readonly destroyed: boolean;
  ref(): void;
  unref(): void;
}

/** The worker reads all of it as one string, which should not be one that takes long to be collected as garbage. */
export const SHARED_BYTES = 1024 * 1024;

/** @throws Error when no worker can be created */
export function startWorkerThread(file: URL, settings: WorkerSettings): WorkerThread {
  return new ThreadStream({
    filename: file.href,
    bufferSize: SHARED_BYTES,
    // Written at once, by LineFeed, which knows when there is room.
    sync: true,
    workerData: settings,
    workerOpts: {
      name: 'logclient',
      // What the program preloads is not for this worker, and might create the next one.
      execArgv: [],
      // Records live for a moment: more room for young objects would only be filled with dead ones.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      transferList: [settings.port as MessagePort],
    },
  }) as unknown as WorkerThread;
}

/** Whether this thread is such a worker. What logs in it, because a program preloads it, must not start the next. */
export function isDeliveryWorker(): boolean {
  return (
    (workerData as { workerData?: Partial<WorkerSettings> } | null)?.workerData?.logclientWorker === true
  );
}
