import { requireOptions, throwProblems } from '../../src/core/option-checks.ts';
import { rejectBlock } from '../../src/ingest/kit/event-transport-options.ts';
import {
  type IngesterOptions,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from '../../src/ingest/options.ts';
import type { DeliveryHooks } from '../../src/ingest/report/delivery-emitter.ts';
import {
  type ResolvedTransportOptions,
  resolveWorkerOptions,
} from '../../src/ingest/worker/worker-options.ts';

/**
 * Options of `createPinoStream`: the same as those of the ingester.
 *
 * @see IngesterOptions
 */
export interface PinoStreamOptions extends IngesterOptions {}

/**
 * Options of `pino.transport({ target: 'logclient/pino', options })`. They are passed to pino's worker and must be
 * plain data: pino throws a DataCloneError if they contain a function. For hooks, use `createPinoTransport(options)`.
 * For `agent` or `fetch`, use `createPinoStream(options)`, which delivers from the main thread.
 */
export interface PinoTransportOptions
  extends Omit<
    PinoStreamOptions,
    'baseUrl' | 'agent' | 'fetch' | 'flushOnSignals' | 'onDrop' | 'onWarning' | 'onRecovered' | 'overflow'
  > {
  /** @see IngesterOptions.baseUrl */
  baseUrl?: string | undefined;
  /**
   * Policy for new records when the queue is full. `dropOldest` drops the oldest records, and `dropNewest` drops the
   * new record. `block` is not available, because pino exits the program if its worker stops reading.
   *
   * @default 'dropOldest'
   */
  overflow?: 'dropOldest' | 'dropNewest' | undefined;
}

/** Options of `createPinoTransport`. Hooks run on the main thread; `onDrop` receives no `events`. */
export interface CreatePinoTransportOptions
  extends PinoTransportOptions,
    DeliveryHooks,
    Pick<IngesterOptions, 'flushOnSignals'> {}

const OWNER = 'logclient/pino';

/** Members that pino adds to a transport's options. */
const PINO_MEMBERS = ['$context', 'pinoWillSendConfig', 'levels', 'dedupe'] as const;

export const ADVICE = {
  level:
    'Set it on the logger: pino({ level }, stream), or on its entry in pino.multistream([{ level, stream }]) or pino.transport({ targets }).',
};

/** Resolves the options in pino's worker. @throws LogOptionsException also for options that can't work there. */
export function resolvePinoTransportOptions(options: object): ResolvedIngesterOptions {
  requireOptions(OWNER, options);
  const own: Record<string, unknown> = { ...options };
  for (const member of PINO_MEMBERS) delete own[member];
  const { flushOnSignals, ...others } = own;
  const functions = Object.keys(own).filter((name) => typeof own[name] === 'function');
  const problems = functions.map(
    (name) =>
      `${OWNER}: "${name}" is a function, which can't be passed to pino's worker. Use createPinoTransport(options) for hooks, or createPinoStream(options) for other functions.`,
  );
  if (flushOnSignals !== undefined)
    problems.push(
      `${OWNER}: "flushOnSignals" has no effect in a worker, which receives no signals. Call flushOnSignals(logger) from logclient/pino on the main thread.`,
    );
  const rejections = [() => throwProblems(problems), () => rejectBlock(OWNER, own)];
  return resolveIngesterOptions(others, OWNER, { advice: ADVICE, rejections });
}

/** @throws LogOptionsException */
export function resolveCreatePinoTransportOptions(
  options: CreatePinoTransportOptions,
): ResolvedTransportOptions {
  const owner = 'createPinoTransport';
  requireOptions(owner, options);
  const remedy = 'Use createPinoStream(options), which delivers from the main thread.';
  const rejections = [() => rejectBlock(owner, options)];
  return resolveWorkerOptions(options, owner, remedy, { advice: ADVICE, rejections });
}
