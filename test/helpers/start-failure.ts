import type { NodeRun } from './run-node.ts';

/** The report of a program with a misconfigured transport; see `pino-start-fails.mjs`. */
export interface StartFailure {
  readonly code: unknown;
  /** The errors that the transport emitted. */
  readonly events: readonly string[];
  /** Records that reached the other target. */
  readonly others: number;
  /** Lines of this package on stderr. */
  readonly reported: readonly string[];
}

export const MISSPELLED = { ingestToken: 'token', flushIntervalMS: 5 };

export const MISSPELLED_ERROR =
  'logclient/pino has no option "flushIntervalMS". Did you mean "flushIntervalMs"?';

/** The line that counts dropped records. */
export function dropLine(records: number): string {
  return `logclient: Records dropped because the transport could not start: ${records}.`;
}

export function startFailure({
  code,
  stdout,
  stderr,
}: Pick<NodeRun, 'stdout' | 'stderr'> & { code: unknown }): StartFailure {
  const printed = stdout.split('\n').filter((line) => line.startsWith('{'));
  const result = printed.find((line) => line.startsWith('{"events"')) ?? '{}';
  return {
    code,
    events: JSON.parse(result).events,
    others: printed.filter((line) => line.includes('"hello"')).length,
    reported: stderr.split('\n').filter((line) => line.startsWith('logclient:')),
  };
}
