import { LogOptionsException } from '../../errors.ts';
import type { IngesterOptions } from '../../index.ts';
import { refuseUnknownOptions, requireBoolean } from '../../internal/option-checks.ts';
import { capturePino, isPinoLogger, type PinoLogger } from './pino-capture.ts';
import { captureWinston, isWinstonLogger, type WinstonLogger } from './winston-capture.ts';

/** A pino or a winston logger. */
export type CapturableLogger = PinoLogger | WinstonLogger;

/** Where a copy goes. */
export type CaptureConnection = Pick<IngesterOptions, 'baseUrl' | 'ingestToken' | 'fetch'>;

/** How to capture a logger. */
export interface CaptureOptions {
  /** Keeps the logger's own output away while it is captured: only the test sees what it logs. @default false */
  quiet?: boolean | undefined;
}

/** Ships a copy of what a logger logs. */
export interface LoggerCapture {
  /** Resolves when everything that was logged before has arrived. */
  flush(): Promise<void>;
  /** Why the logger may log nothing. */
  hint(): string | undefined;
  /** Leaves the logger as it was. */
  stop(): Promise<void>;
}

/** @throws LogOptionsException for anything but a logger that can be captured. */
export function captureLogger(
  logger: CapturableLogger,
  connection: CaptureConnection,
  options: CaptureOptions = {},
): LoggerCapture {
  refuseUnknownOptions('capture', options, ['quiet']);
  const quiet = requireBoolean('capture', 'quiet', options.quiet ?? false);
  if ((typeof logger === 'object' || typeof logger === 'function') && logger !== null) {
    if (isWinstonLogger(logger)) return captureWinston(logger, connection, quiet);
    if (isPinoLogger(logger)) return capturePino(logger, connection, quiet);
  }
  throw new LogOptionsException('capture takes a pino logger or a winston logger.');
}
