/** A run has exceeded a limit. The message is meant for the query's author. */
export class QueryLimitError extends Error {
  constructor(problem: string) {
    super(`The query was canceled: ${problem}`);
    this.name = new.target.name;
  }
}

/** A run needs more memory than its limit. */
export class QueryMemoryError extends QueryLimitError {
  constructor(maxBytes: number) {
    super(
      `its result needs more than ${maxBytes} bytes of memory, the limit of this server. Filter more events out, or group by fewer values.`,
    );
  }
}
