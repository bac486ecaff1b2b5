import { LogOptionsException } from '../../src/errors.ts';
import type { IngesterOptions } from '../../src/ingest/ingester-options.ts';

/**
 * The options of `createPinoStream`: those of the ingester.
 *
 * @see IngesterOptions
 */
export interface PinoStreamOptions extends IngesterOptions {}

/**
 * The options of `pino.transport({ target: 'logclient/pino', options })`. They cross into pino's worker, so they are
 * plain data: a function among them makes pino throw a DataCloneError. Hooks and a dispatcher need
 * `createPinoStream(options)`, which runs in the same thread.
 */
export interface PinoTransportOptions
  extends Omit<
    PinoStreamOptions,
    'baseUrl' | 'dispatcher' | 'fetch' | 'onDrop' | 'onWarning' | 'onRecovered' | 'overflow'
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

/** Members that pino itself puts among a transport's options. */
const PINO_MEMBERS = ['$context', 'pinoWillSendConfig', 'levels', 'dedupe'] as const;

/**
 * What the ingester gets to see of the options that arrive in pino's worker; it checks the rest.
 *
 * @throws LogOptionsException for what can't work there.
 */
export function resolvePinoTransportOptions(options: object): IngesterOptions {
  const own: Record<string, unknown> = { ...options };
  for (const member of PINO_MEMBERS) delete own[member];
  for (const [name, value] of Object.entries(own)) {
    if (typeof value !== 'function') continue;
    throw new LogOptionsException(
      `logclient/pino: "${name}" is a function, which can't cross into pino's worker. Use createPinoStream(options), which runs in the same thread.`,
    );
  }
  if (own.overflow === 'block') {
    throw new LogOptionsException(
      'logclient/pino: "overflow" can\'t be "block" in a worker, which must keep reading. Use dropOldest or dropNewest.',
    );
  }
  return own as IngesterOptions;
}
