import { LogOptionsException } from '../../core/errors.ts';
import { requireBoolean } from '../../core/option-checks.ts';
import { type IngesterOptions, resolveIngesterOptions } from '../options.ts';
import type { Drop } from '../report/delivery-event.ts';
import { type ResolvedTransportOptions, resolveWorkerOptions } from '../worker/worker-options.ts';

/** Dropped records, passed to `onDrop`. */
export interface LogTransportDrop extends Drop {
  /** Events as JSON strings; only with `worker: false`. */
  readonly events?: readonly string[] | undefined;
}

/** Options for loggers whose records are objects: those of the ingester, and `worker`. */
export interface EventTransportOptions extends Omit<IngesterOptions, 'overflow' | 'onDrop'> {
  /**
   * Delivers records from a worker thread, which takes load off the main thread. Set this to `false` to deliver
   * from the main thread: in serverless functions, or to use `agent` or `fetch`, which can't be passed to a worker.
   * Hooks work in both modes.
   *
   * @default true
   */
  worker?: boolean | undefined;
  /**
   * Policy for new records when the queue is full. `dropOldest` drops the oldest records, and `dropNewest` drops the
   * new record.
   *
   * @default 'dropOldest'
   */
  overflow?: 'dropOldest' | 'dropNewest' | undefined;
  /**
   * Called with the reason for a drop, the number of dropped records and, with `worker: false`, their events. Not
   * called if the hook's own logging causes the drop.
   */
  onDrop?: ((drop: LogTransportDrop) => void) | undefined;
}

/** @param own names of further options of the logger, which are not passed on. @throws LogOptionsException */
export function resolveEventTransportOptions(
  { worker = true, ...options }: EventTransportOptions,
  owner: string,
  own: readonly string[] = [],
): ResolvedTransportOptions {
  const rejections = [() => requireBoolean(owner, 'worker', worker), () => rejectBlock(owner, options)];
  const checks = { own: ['worker', ...own], rejections };
  if (worker === true) return resolveWorkerOptions(options, owner, 'Set worker: false to use it.', checks);
  const ingester = resolveIngesterOptions(options, owner, checks);
  return { ingester, workerOptions: undefined, hooks: {} };
}

/** @throws LogOptionsException */
export function rejectBlock(owner: string, { overflow }: { readonly overflow?: unknown }): void {
  if (overflow !== 'block') return;
  throw new LogOptionsException(
    `${owner}: "overflow" can't be "block": a transport must not block the logger. Use "dropOldest" or "dropNewest".`,
  );
}
