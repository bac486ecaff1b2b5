import type { MessagePort } from 'node:worker_threads';
import type { FoundServer } from '../../core/discovery/local-servers.ts';
import type { IngesterOptions } from '../options.ts';
import type { DeliveryEvent } from '../report/delivery-event.ts';

/** Names of the mappers that the worker's program contains. */
export type MapperName = 'event' | 'pino' | 'auto';

/** Start data of the worker. */
export interface WorkerSettings {
  readonly logclientWorker: true;
  readonly mapper: MapperName;
  readonly options: IngesterOptions;
  /** The local server that the main thread has found, if the options name no service. */
  readonly localServer: FoundServer | undefined;
  /** True if the program has a hook for warnings, which then don't go to stderr. */
  readonly forwardsWarnings: boolean;
  readonly progress: Int32Array<SharedArrayBuffer>;
  /** Messages from and to the main thread, which can read a separate port on exit without its event loop. */
  readonly port: MessagePort;
}

/** Requests to the worker: see the methods of `Backpressure` and the pipeline. The worker responds to `flush` with `flushed`. */
export type WorkerRequest =
  | { readonly name: 'skip' | 'lift' | 'abandon' }
  | { readonly name: 'flush'; readonly id: number };

export type WorkerMessage =
  | DeliveryEvent
  | { readonly name: 'flushed'; readonly id: number; readonly isFlushed: boolean }
  /** The worker has delivered what it could. */
  | { readonly name: 'closed' };

/** Start of a line that asks the worker to deliver the rest and close, before the milliseconds since the start of the exit. */
export const END_LINE = '\u0004';
