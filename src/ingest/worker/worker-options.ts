import { LogOptionsException } from '../../errors.ts';
import { type IngesterOptions, type ResolvedIngesterOptions, resolveIngesterOptions } from '../options.ts';
import type { DeliveryHooks } from '../report/delivery-emitter.ts';

/** The options of a delivery in a worker: plain data, but for the hooks, which are called in the program's thread. */
export interface WorkerOptions extends Omit<IngesterOptions, keyof DeliveryHooks>, DeliveryHooks {}

export interface ResolvedWorkerOptions {
  /** For an ingester in the worker, or in its place: plain data, without the signals, which only this thread hears. */
  readonly ingesterOptions: IngesterOptions;
  /** Called in this thread. */
  readonly hooks: DeliveryHooks;
  readonly resolved: ResolvedIngesterOptions;
}

/**
 * Divides options between the two threads.
 *
 * @param remedy what to use instead where an option can't cross.
 * @throws LogOptionsException
 */
export function resolveWorkerOptions(
  options: WorkerOptions,
  owner: string,
  remedy: string,
): ResolvedWorkerOptions {
  const { onDrop, onWarning, onRecovered, flushOnSignals, ...rest } = options;
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value !== 'function' && (name !== 'agent' || value === undefined)) continue;
    throw new LogOptionsException(`${owner}: "${name}" can't be passed to a worker thread. ${remedy}`);
  }
  const resolved = resolveIngesterOptions(options, owner);
  const ingesterOptions: IngesterOptions = { ...rest };
  if (rest.baseUrl !== undefined) ingesterOptions.baseUrl = String(rest.baseUrl);
  return {
    ingesterOptions,
    hooks: { onDrop, onWarning, onRecovered },
    resolved,
  };
}
