import { QueryLimitError } from './query-limit-error.ts';

/** A run needs more memory than its limit. */
export class QueryMemoryError extends QueryLimitError {
  constructor(maxBytes: number) {
    super(
      `its result needs more than ${maxBytes} bytes of memory, the limit of this server. Filter more events out, or group by fewer values.`,
    );
  }
}
