import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { IngesterOptions } from '../ingester-options.ts';
import type { IngestRecord } from '../record.ts';
import { workerFile } from '../worker/worker-file.ts';
import { EXIT_STATE, type ExitDelivery, type ExitJob } from './exit-protocol.ts';
import { exitTimeLeft } from './exit-time.ts';

/** What a worker may take to begin, on a machine that is busy. */
const START_TIMEOUT_MS = 3_000;

/** A worker needs a moment before it can send anything. */
const START_ALLOWANCE_MS = 1_500;

/**
 * Delivers records from an `exit` listener, where the event loop of this thread does not turn any more: in a worker,
 * while this thread waits. Takes `timeoutMs` and a moment for the start of the worker, whatever the service does.
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
    return deliverInWorker(options, records, waitMs);
  } catch {
    return undefined; // No file, no permission, no threads: nothing that could be mended now.
  }
}

function deliverInWorker(
  options: IngesterOptions,
  records: readonly IngestRecord[],
  waitMs: number,
): ExitDelivery | undefined {
  const deadline = Date.now() + waitMs;
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { port1: ownPort, port2: port } = new MessageChannel();
  const job: ExitJob = { logclientExit: true, options, records, deadline, state, port };
  new Worker(workerFile('exit-worker.js', import.meta.url), {
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
