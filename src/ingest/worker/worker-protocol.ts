import type { MessagePort } from 'node:worker_threads';
import type { IngesterOptions } from '../options.ts';
import type { DeliveryEvent } from '../report/delivery-event.ts';

/** What the worker is started with. */
export interface WorkerSettings {
  readonly logclientWorker: true;
  readonly options: IngesterOptions;
  /** The program has a hook for warnings, so they don't go to stderr. */
  readonly forwardsWarnings: boolean;
  /** The memory of the worker's progress. */
  readonly progress: Int32Array<SharedArrayBuffer>;
  /**
   * For messages from and to the main thread. A port of our own can be read at the end of the process, too, when the main
   * thread does not turn its event loop any more.
   */
  readonly port: MessagePort;
}

/**
 * What the worker is asked: to hold nothing back until it has caught up with what is written, or any more; to say when
 * what it has received is delivered.
 */
export type WorkerRequest =
  | { readonly name: 'hurry' | 'hurryForGood' }
  | { readonly name: 'flush'; readonly id: number };

export type WorkerMessage =
  | DeliveryEvent
  | { readonly name: 'flushed'; readonly id: number }
  /** The worker has delivered what it could. */
  | { readonly name: 'closed' };

/**
 * A line that asks the worker to deliver what it has and to close. It travels with the records, so that everything
 * before it is in. JSON text has no control characters, so no record looks like it.
 */
export const END_LINE = '\u0004';
