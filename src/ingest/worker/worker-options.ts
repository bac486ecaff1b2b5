import { throwProblems } from '../../core/option-checks.ts';
import {
  type IngesterOptions,
  type LoggerChecks,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from '../options.ts';
import type { DeliveryHooks } from '../report/delivery-emitter.ts';

/** Options of a delivery that may run in a worker. Hooks run on the main thread. */
export interface TransportOptions extends Omit<IngesterOptions, keyof DeliveryHooks>, DeliveryHooks {}

export interface ResolvedTransportOptions {
  /** For delivery in this thread, also after a worker has crashed. */
  readonly ingester: ResolvedIngesterOptions;
  /** For a worker: plain data. `undefined` for delivery in this thread. */
  readonly workerOptions: IngesterOptions | undefined;
  /** Called with events. Without a worker, the pipeline calls the hooks itself. */
  readonly hooks: DeliveryHooks;
}

/** @param remedy advice for options that can't be passed to a worker. @throws LogOptionsException */
export function resolveWorkerOptions(
  options: TransportOptions,
  owner: string,
  remedy: string,
  checks: LoggerChecks = {},
): ResolvedTransportOptions {
  const { onDrop, onWarning, onRecovered, flushOnSignals, ...workerOptions } = options;
  const unfit = Object.entries(workerOptions).filter(
    ([name, value]) => typeof value === 'function' || (name === 'agent' && value !== undefined),
  );
  const problems = unfit.map(([name]) => `${owner}: "${name}" can't be passed to a worker thread. ${remedy}`);
  const rejections = [...(checks.rejections ?? []), () => throwProblems(problems)];
  const resolved = resolveIngesterOptions(options, owner, { ...checks, rejections });
  if (workerOptions.baseUrl !== undefined) workerOptions.baseUrl = String(workerOptions.baseUrl);
  return {
    ingester: Object.freeze({
      ...resolved,
      onDrop: undefined,
      onRecovered: undefined,
      // Keeps warnings from stderr: the hook gets them as events.
      onWarning: onWarning && (() => {}),
    }),
    workerOptions,
    hooks: { onDrop, onWarning, onRecovered },
  };
}
