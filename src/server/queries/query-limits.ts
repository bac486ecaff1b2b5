import { QueryLimitError } from '../../engine/index.ts';

export class QueryTimeoutError extends QueryLimitError {
  constructor(timeoutMs: number, whose = 'the limit of this server') {
    super(`it needed more than ${timeoutMs} ms of CPU time, ${whose}.`);
  }
}

/** The limit that a query has exceeded, also one of JavaScript; `undefined` for other errors. */
export function limitError(error: unknown): QueryLimitError | undefined {
  if (error instanceof QueryLimitError) return error;
  if (!(error instanceof RangeError)) return undefined;
  if (/^Invalid (string|array) length|maximum size exceeded/.test(error.message))
    return new QueryLimitError('it creates a string or an array that is too large for memory.');
  return /call stack/.test(error.message) ? new QueryLimitError('it has too many steps.') : undefined;
}
