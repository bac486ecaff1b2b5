import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessagePort, type Worker, workerData } from 'node:worker_threads';
import ThreadStream from 'thread-stream';
import type { WorkerSettings } from './worker-protocol.ts';

/** What thread-stream has and its types leave out. */
export interface WorkerThread extends ThreadStream {
  readonly worker: Worker;
  readonly destroyed: boolean;
  ref(): void;
  unref(): void;
}

/** @throws Error when no worker can be created */
export function startWorkerThread(file: URL, settings: WorkerSettings): WorkerThread {
  return new ThreadStream({
    filename: file.href,
    workerData: settings,
    workerOpts: {
      name: 'logclient',
      // What the program preloads is not for this worker, and might create the next one.
      execArgv: [],
      // Records live for a moment: more room for young objects would only be filled with dead ones.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      transferList: [settings.port as MessagePort],
    },
  }) as WorkerThread;
}

/**
 * The file of a worker's entry, which stands beside the other files of the package.
 *
 * @param moduleUrl `import.meta.url` of who asks.
 * @throws Error where a bundler has left the file behind: better known now than at the end of the process
 */
export function workerFile(name: string, moduleUrl: string | undefined): URL {
  const file = moduleUrl === undefined ? undefined : new URL(`./${name}`, moduleUrl);
  if (file?.protocol === 'file:' && existsSync(fileURLToPath(file))) return file;
  throw new Error(`the file ${name} is missing; keep this package out of the bundle, or deliver in-process`);
}

/** Whether this thread is such a worker. What logs in it, because a program preloads it, must not start the next. */
export function isDeliveryWorker(): boolean {
  return (
    (workerData as { workerData?: Partial<WorkerSettings> } | null)?.workerData?.logclientWorker === true
  );
}
