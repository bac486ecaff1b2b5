import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessagePort, type Worker, workerData } from 'node:worker_threads';
import ThreadStream from 'thread-stream';
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

/**
 * Finds the entry file of a worker, which is next to the other files of the package.
 *
 * @param moduleUrl `import.meta.url` of the caller.
 * @throws Error if the file is missing, for example in a bundle. Without this check, that would only fail on exit.
 */
export function workerFile(name: string, moduleUrl: string | undefined): URL {
  const file = moduleUrl === undefined ? undefined : new URL(`./${name}`, moduleUrl);
  if (file?.protocol === 'file:' && existsSync(fileURLToPath(file))) return file;
  throw new Error(`the file ${name} is missing; exclude this package from the bundle or deliver in-process`);
}

/** @throws Error if no worker can be created. */
export function startWorkerThread(file: URL, settings: WorkerSettings): WorkerThread {
  return new ThreadStream({
    filename: file.href,
    bufferSize: SHARED_BYTES,
    // `WorkerWriter` only writes what fits.
    sync: true,
    workerData: settings,
    workerOpts: {
      name: 'logclient',
      // Modules that the program preloads are not for this worker, and might start another one.
      execArgv: [],
      // Records are short-lived: a larger young generation would only fill up with garbage.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      transferList: [settings.port as MessagePort],
    },
  }) as unknown as WorkerThread;
}

/** True in such a worker. A logger that is preloaded there must not start another worker. */
export function isDeliveryWorker(): boolean {
  return (
    (workerData as { workerData?: Partial<WorkerSettings> } | null)?.workerData?.logclientWorker === true
  );
}
