import { QueryLimitError } from '../../engine/index.ts';

export class QueryTimeoutError extends QueryLimitError {
  constructor(timeoutMs: number) {
    super(`it needed more than ${timeoutMs} ms of CPU time, the limit of this server.`);
  }
}

/** The server's heap is almost full. */
export class HeapFullError extends QueryLimitError {
  constructor() {
    super('this server is almost out of memory.');
  }
}

/** Live queries together need too much memory. */
export class LiveMemoryError extends QueryLimitError {
  constructor(maxBytes: number) {
    super(
      `live queries together need more than ${maxBytes} bytes of memory, the limit of this server, and this one needs the most. Filter more events out, or end other live queries.`,
    );
  }
}

/** The message for clients if a query has exceeded a limit; `undefined` for other errors. */
export function limitMessage(error: unknown): string | undefined {
  if (error instanceof QueryLimitError) return error.message;
  return isTooLarge(error)
    ? 'The query was canceled: it creates a string or an array that is too large for memory.'
    : undefined;
}

/** JavaScript's error for a string, array, set or map beyond its maximum size. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof RangeError && /^Invalid (string|array) length|maximum size exceeded/.test(error.message)
  );
}
