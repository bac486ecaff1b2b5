import { QueryLimitError, type RunLimits } from '../../query-engine/index.ts';

export interface QueryLimits {
  readonly timeoutMs: number;
  /** What the parts of one evaluation have spent of it; without this, each part has all the time for itself. */
  readonly spent?: { ms: number };
}

export class QueryTimeoutError extends QueryLimitError {
  constructor(timeoutMs: number) {
    super(`it ran for more than ${timeoutMs} ms, the limit of this server.`);
  }
}

/** There is hardly any memory left for the whole server. */
export class HeapFullError extends QueryLimitError {
  constructor() {
    super('this server is almost out of memory.');
  }
}

/** What a client is told when a query has met a limit; `undefined` for any other error. */
export function limitMessage(error: unknown): string | undefined {
  if (error instanceof QueryLimitError) return error.message;
  return isTooLarge(error)
    ? 'The query was canceled: it creates a string or an array that is too large for memory.'
    : undefined;
}

/** What JavaScript says of a text, an array, a set or a map that is larger than any can be. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof RangeError && /^Invalid (string|array) length|maximum size exceeded/.test(error.message)
  );
}

export function runLimitsOf(options: {
  readonly maxQueryGroups: number;
  readonly maxQueryBytes: number;
}): RunLimits {
  return { maxGroups: options.maxQueryGroups, maxBytes: options.maxQueryBytes };
}
