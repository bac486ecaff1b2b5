import type { LogClient } from '../../index.ts';

/** Logs that the tools read: a repository of a service, or a file. */
export interface Logs {
  readonly client: LogClient;
  readonly repository: string;
  /** Tokens, which can be in the logs. */
  readonly secrets: ReadonlySet<string>;
  /** Such as `http://127.0.0.1:5647, repository sandbox`. */
  readonly place: string;
  /** True if our own engine runs the queries, so that a function it doesn't know is an error. */
  readonly isLocal: boolean;
  /** The start of searches that have none: a relative time, or epoch milliseconds. */
  readonly defaultStart: string | number;
  /** The end of searches that have none, in epoch milliseconds. @default now */
  readonly defaultEnd?: number;
  /** Keeps reading what is appended to the file, until the signal aborts. */
  readonly follow?: (signal: AbortSignal) => Promise<void>;
}

export interface LogSource extends AsyncDisposable {
  /**
   * Runs an action on the logs.
   *
   * @param repository another repository of the same service.
   * @throws CommandFailure that says what is wrong with the settings or the service, and what to do.
   */
  use<Result>(repository: string | undefined, action: (logs: Logs) => Promise<Result>): Promise<Result>;
  /** Tokens, which must not be in any output. */
  readonly secrets: ReadonlySet<string>;
}
