import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { IngesterOptions } from '../ingester-options.ts';
import type { IngestRecord } from '../record.ts';
import { workerFile } from '../worker/worker-file.ts';
import { deliverBlocking } from './deliver-blocking.ts';
import { EXIT_STATE, type ExitDelivery, type ExitJob } from './exit-protocol.ts';
import { exitTimeLeft } from './exit-time.ts';

/** What a worker may take to begin, on a machine that is busy. */
const START_TIMEOUT_MS = 3_000;

/** A worker needs a moment before it can send anything. */
const START_ALLOWANCE_MS = 1_500;

/**
 * Delivers records from an `exit` listener, where the event loop of this thread does not turn any more: in a worker,
 * while this thread waits. Without the worker's file, which a bundler leaves behind, this thread does the work itself,
 * and a worker makes nothing but the requests. Takes `timeoutMs` and a moment for the start of the worker, whatever the
 * service does.
 *
 * @param options plain data; see {@link exitOptions}
 * @returns `undefined` where that can't be done, or nobody knows what became of the records
 */
export function deliverAtExit(
  options: IngesterOptions,
  records: readonly IngestRecord[],
  timeoutMs: number,
): ExitDelivery | undefined {
  const waitMs = exitTimeLeft(timeoutMs + START_ALLOWANCE_MS);
  if (waitMs <= 0) return undefined;
  try {
    const file = exitWorkerFile();
    if (file !== undefined) return deliverInWorker(file, options, records, waitMs);
    const deadline = Date.now() + waitMs;
    return deliverBlocking(options, records, {
      deadline,
      startTimeoutMs: Math.min(START_TIMEOUT_MS, waitMs),
    });
  } catch {
    return undefined; // No permission, no threads: nothing that could be mended now.
  }
}

/** Some bundlers leave nothing of `import.meta.url`, and others code that throws. */
function exitWorkerFile(): URL | undefined {
  try {
    return workerFile('exit-worker.js', import.meta.url);
  } catch {
    return undefined;
  }
}

function deliverInWorker(
  file: URL,
  options: IngesterOptions,
  records: readonly IngestRecord[],
  waitMs: number,
): ExitDelivery | undefined {
  const deadline = Date.now() + waitMs;
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { port1: ownPort, port2: port } = new MessageChannel();
  const plain = records.map(({ eventText, tagsText }) => ({ eventText, tagsText }));
  const job: ExitJob = { logclientExit: true, options, records: plain, deadline, state, port };
  new Worker(file, {
    name: 'logclient exit',
    workerData: job,
    transferList: [port],
    // What the program preloads is not for this worker, and might log.
    execArgv: [],
  });
  Atomics.wait(state, 0, EXIT_STATE.created, Math.min(START_TIMEOUT_MS, waitMs));
  if (Atomics.load(state, 0) === EXIT_STATE.created) return undefined;
  Atomics.wait(state, 0, EXIT_STATE.started, Math.max(0, deadline - Date.now()));
  return receiveMessageOnPort(ownPort)?.message;
}
