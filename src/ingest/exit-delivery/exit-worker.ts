/** The entry of the worker that delivers what is left when a thread ends. */
import { workerData } from 'node:worker_threads';
import { EXIT_STATE, type ExitJob } from './exit-protocol.ts';

const { state, ...job }: ExitJob = workerData;

function enter(next: number): void {
  Atomics.store(state, 0, next);
  Atomics.notify(state, 0);
}

async function work(): Promise<void> {
  // Loaded late, so that the waiting thread hears at once of a file that is missing.
  const { runExitJob } = await import('./run-exit-job.ts');
  job.port.postMessage(await runExitJob(job));
}

enter(EXIT_STATE.started);
const end = (): void => enter(EXIT_STATE.ended);
// Without a message there is no delivery.
work().then(end, end);
