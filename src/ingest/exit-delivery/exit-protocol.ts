import type { MessagePort } from 'node:worker_threads';
import type { IngesterOptions } from '../ingester-options.ts';
import type { DropReason } from '../ingester-stats.ts';
import type { IngestRecord } from '../record.ts';

/** What the worker at the end of a thread is started with. */
export interface ExitJob {
  readonly logclientExit: true;
  /** Plain data. */
  readonly options: IngesterOptions;
  readonly records: readonly Pick<IngestRecord, 'eventText' | 'tagsText'>[];
  /** When nobody waits any more, in epoch milliseconds. */
  readonly deadline: number;
  /** Shared memory with one cell: the {@link ExitState}. */
  readonly state: Int32Array;
  /** Takes the {@link ExitDelivery}, which the waiting thread reads without an event loop. */
  readonly port: MessagePort;
}

/** How far the worker is. */
export const EXIT_STATE = { created: 0, started: 1, ended: 2 } as const;

/** What became of the records; all of them are in it. */
export interface ExitDelivery {
  readonly delivered: number;
  readonly batches: number;
  readonly retried: number;
  readonly drops: readonly { readonly reason: DropReason; readonly events: readonly string[] }[];
  /** Why the last attempt failed that did; holds no token. */
  readonly lastFailure: string;
  /** What people should hear beside the losses. */
  readonly warnings: readonly { readonly kind: 'attention' | 'internal'; readonly message: string }[];
}
