import { LogConnectionException } from '../errors.ts';

/** The code of a failed connection, such as `ECONNREFUSED`. */
export function connectionCode(error: unknown): unknown {
  const cause = error instanceof LogConnectionException ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
