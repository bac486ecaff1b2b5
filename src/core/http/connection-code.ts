import { LogConnectionException } from '../errors.ts';

/** Codes of a connection that was closed without a response. */
export const RESET_CODES: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** The code of a failed connection, such as `ECONNREFUSED`. */
export function connectionCode(error: unknown): unknown {
  const cause = error instanceof LogConnectionException ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
