import { LogOptionsException } from '../../core/errors.ts';
import { refuseUnknownOptions, requireBoolean } from '../../core/option-checks.ts';
import { resolveTags } from '../../ingest/options.ts';
import type { CaptureConnection, CapturedLogger } from './capture-delivery.ts';
import { belongsTo, capturePino, isPinoLogger, type PinoLogger } from './pino-capture.ts';
import { captureWinston, isWinstonLogger, type WinstonLogger } from './winston-capture.ts';

/** A pino or a winston logger. Fastify's type of its pino logger lacks most members. */
export type CapturableLogger = Pick<PinoLogger, 'level' | 'child'> | WinstonLogger;

/** Options of `capture`. */
export interface CaptureOptions {
  /** Suppresses the logger's own output while it is being captured. @default false */
  quiet?: boolean | undefined;
  /** Tags of the captured records, so that queries for `#service` match. @default LOGSCALE_TAGS from the environment */
  tags?: Readonly<Record<string, string | undefined>> | undefined;
}

export const CAPTURE_OPTIONS: readonly string[] = ['quiet', 'tags'];

/** @throws LogOptionsException for anything but a logger that can be captured. */
export function captureLogger(
  logger: CapturableLogger,
  server: CaptureConnection,
  options: CaptureOptions = {},
): CapturedLogger {
  refuseUnknownOptions('capture', options, CAPTURE_OPTIONS);
  const tags = resolveTags('capture', options.tags);
  const connection = { ...server, tags };
  const quiet = requireBoolean('capture', 'quiet', options.quiet ?? false);
  const target: object = Object(logger);
  const named = Object.fromEntries(Object.entries(tags).map(([name, value]) => [`#${name}`, value]));
  if (isWinstonLogger(target)) return { ...captureWinston(target, connection, quiet), tags: named };
  if (isPinoLogger(target)) return { ...capturePino(target, connection, quiet), tags: named };
  throw new LogOptionsException(
    'capture expects the logger that pino() or winston.createLogger() returns. For a console, track captureConsole(logs.connection) of logclient/console.',
  );
}

/**
 * Rejects a second copy of the same records. A child logger has its parent as its prototype, and is captured with it.
 *
 * @param state of the other loggers
 * @throws LogOptionsException
 */
export function refuseSecond(
  owner: 'capture' | 'track',
  logger: object,
  others: Iterable<object>,
  state: 'captured' | 'tracked',
): void {
  for (const other of others) {
    if (!belongsTo(other, logger) && !belongsTo(Object(logger), other)) continue;
    const what =
      other === logger ? 'this logger' : belongsTo(other, logger) ? 'its parent' : 'a child of this logger';
    throw new LogOptionsException(
      `${owner}: ${what} is already ${state}, so its records would be duplicated. Capture a logger once; that includes its children. To end a capture, call the function that capture() returned.`,
    );
  }
}
