/** A run has exceeded a limit. The message is meant for the query's author. */
export class QueryLimitError extends Error {
  constructor(problem: string) {
    super(`The query was canceled: ${problem}`);
    this.name = new.target.name;
  }
}
