import { LogOptionsException } from '../../src/errors.ts';
import { type IngesterOptions, resolveIngesterOptions } from '../../src/ingest/ingester-options.ts';
import type { DeliveryHooks } from '../../src/ingest/worker/delivery-announcer.ts';
import { type ResolvedWorkerOptions, resolveWorkerOptions } from '../../src/ingest/worker/worker-options.ts';

/**
 * The options of `createPinoStream`: those of the ingester.
 *
 * @see IngesterOptions
 */
export interface PinoStreamOptions extends IngesterOptions {}

/**
 * The options of `pino.transport({ target: 'logclient/pino', options })`. They cross into pino's worker, so they are
 * plain data: a function among them makes pino throw a DataCloneError. Hooks need `createPinoTransport(options)`; an
 * `agent` or a `fetch` needs `createPinoStream(options)`, which runs in the same thread.
 */
export interface PinoTransportOptions
  extends Omit<
    PinoStreamOptions,
    'baseUrl' | 'agent' | 'fetch' | 'flushOnSignals' | 'onDrop' | 'onWarning' | 'onRecovered' | 'overflow'
  > {
  /**
   * The address of the service. It may carry a path prefix.
   *
   * @default the environment's LOGSCALE_URL, then HUMIO_ADDRESS, then `http://localhost:3000`
   */
  baseUrl?: string | undefined;
  /**
   * What to do with a record when the queue is full: make room by dropping the oldest, or drop the new one. There is
   * no `block`: pino ends a program whose worker stops reading.
   *
   * @default 'dropOldest'
   */
  overflow?: 'dropOldest' | 'dropNewest' | undefined;
}

/**
 * The options of `createPinoTransport`. The hooks are called in the program's thread; the texts of dropped records stay
 * in the worker.
 */
export interface PinoWorkerStreamOptions extends PinoTransportOptions, DeliveryHooks {
  /** @see IngesterOptions.flushOnSignals */
  flushOnSignals?: IngesterOptions['flushOnSignals'];
}

/** Members that pino itself puts among a transport's options. */
const PINO_MEMBERS = ['$context', 'pinoWillSendConfig', 'levels', 'dedupe'] as const;

/**
 * What the ingester gets to see of the options that arrive in pino's worker.
 *
 * @throws LogOptionsException also for what can't work there.
 */
export function resolvePinoTransportOptions(options: object): IngesterOptions {
  const own: Record<string, unknown> = { ...options };
  for (const member of PINO_MEMBERS) delete own[member];
  for (const [name, value] of Object.entries(own)) {
    if (typeof value !== 'function') continue;
    throw new LogOptionsException(
      `logclient/pino: "${name}" is a function, which can't be passed to pino's worker. Use createPinoTransport(options) for hooks, or createPinoStream(options) for other functions.`,
    );
  }
  refuseBlock(own, 'logclient/pino');
  if (own.flushOnSignals !== undefined) {
    throw new LogOptionsException(
      'logclient/pino: "flushOnSignals" has no effect in a worker, which receives no signals. Call flushOnSignals(logger) from logclient/pino on the main thread.',
    );
  }
  resolveIngesterOptions(own, 'logclient/pino');
  return own;
}

/** @throws LogOptionsException */
export function resolvePinoWorkerStreamOptions(options: PinoWorkerStreamOptions): ResolvedWorkerOptions {
  const owner = 'createPinoTransport';
  const resolved = resolveWorkerOptions(
    options,
    owner,
    'Use createPinoStream(options), which delivers in-process.',
  );
  refuseBlock(options, owner);
  return resolved;
}

function refuseBlock({ overflow }: { overflow?: unknown }, owner: string): void {
  if (overflow !== 'block') return;
  throw new LogOptionsException(
    `${owner}: "overflow" can't be "block" in a worker, which must keep reading. Use "dropOldest" or "dropNewest".`,
  );
}
