import { LogConnectionDroppedException, type ServiceIds } from '../errors.ts';
import { isError } from '../is-error.ts';
import type { RedactText } from './message-redactor.ts';
import type { HttpProxy } from './proxy-error.ts';

/** The request that failed, for messages. */
export interface FailedRequest {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** Host and port. */
  readonly host: string;
  /** The option or variable with the address. */
  readonly source: string;
  readonly redactor: RedactText;
  readonly proxy: HttpProxy | undefined;
  /** Whether the option `ca` applies to the connection. */
  readonly acceptsCa: boolean;
}

/** The exception for an incomplete response. */
export function droppedException(
  error: unknown,
  { host, redactor }: FailedRequest,
  ids: ServiceIds,
): LogConnectionDroppedException {
  const cause = cleanCause(error, redactor);
  return new LogConnectionDroppedException(
    `The connection to ${host} dropped mid-response${cause.code === undefined ? '' : ` (${cause.code})`}.`,
    { cause, ...ids },
  );
}

/** `fetch` hides the code in `cause`, and several failed addresses are in `errors`. */
function findCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 4) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  // An error code of the operating system says more than that of the library.
  const inner =
    findCode(cause, depth + 1) ?? findCode(Array.isArray(errors) ? errors[0] : undefined, depth + 1);
  return inner ?? (typeof code === 'string' ? code : undefined);
}

export interface CodedError extends Error {
  code?: string;
}

/**
 * A copy of `error` with only its name, code, message and stack, without secrets: HTTP libraries attach sockets,
 * requests and options to their errors.
 */
export function cleanCause(error: unknown, redactor: RedactText): CodedError {
  const code = findCode(error);
  const clean = new Error(redactor(isError(error) ? error.message : String(error)));
  if (isError(error)) {
    clean.name = error.name;
    if (error.stack !== undefined) clean.stack = redactor(error.stack);
  }
  return code === undefined ? clean : Object.assign(clean, { code });
}
