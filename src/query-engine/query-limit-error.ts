/** A run has met a limit on what one query may do. The message is for whoever wrote the query. */
export class QueryLimitError extends Error {
  constructor(problem: string) {
    super(`The query was canceled: ${problem}`);
    this.name = new.target.name;
  }
}
