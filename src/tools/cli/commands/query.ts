import { rowLimit } from '../../output/flag-values.ts';
import { checkGateFlags, GATE_FLAGS } from '../../query/gate.ts';
import { type QueryFlags, RUN_FLAGS } from '../../query/query-flags.ts';
import type { QueryAndLines } from '../../query/query-input.ts';
import { timeFlags } from '../../query/time-flags.ts';
import type { CommandRow } from '../command.ts';

export const QUERY: CommandRow<QueryFlags> = {
  usage: 'query [files-and-query...]',
  about:
    'Run a query and show its result. Events are sorted newest first; on a terminal, newest last. Those of files and stdin keep their input order.',
  args: [
    'Files to query without a server (paths, patterns or "-" for stdin; lines of JSON or text, also compressed with gzip or zstd), then the query. Default: all events of the service.',
  ],
  flags: [
    ['-f, --file <path>', 'Read the query from a file ("-" for stdin).'],
    ['--stdin', 'Query lines from stdin (NDJSON or text) without a server.'],
    ['-F, --follow', 'With a file, keep reading new lines until Ctrl-C, even if it is rotated.'],
    [
      '--live',
      'Keep updating the result until Ctrl-C: in place on a terminal, one result after another in a pipe.',
    ],
    [
      '-n, --limit <number>',
      'Maximum number of rows, or "all"; of files and stdin, the first ones. Default: all, or the newest 200 events of the service on a terminal.',
      rowLimit,
    ],
    ...RUN_FLAGS,
    ...timeFlags('Default: 24 hours; all of files and stdin.'),
    ...GATE_FLAGS,
  ],
  output: 'query',
  connects: true,
  examples: [
    ["logclient query 'level=error' --since 2h", 'show errors from the last two hours'],
    ["logclient query 'groupBy(level)' --since 7d", 'count events by level, with bars on a terminal'],
    ["logclient query app.log 'groupBy(level, function=max(ms))'", 'query a file without a server'],
    ["logclient query 'timeChart(level)' --from 2d --to 1d", 'chart events from two days ago to one day ago'],
    ["logclient query --live 'groupBy(level)' --since 15m", 'show a table that updates live'],
    ["logclient query 'level=error' --limit 100 -o csv > errors.csv", 'save the newest 100 events as CSV'],
    ["logclient query 'level=error' --template '{@timestamp} {msg}'", 'format events with a custom template'],
    ["logclient query 'level=fatal' --since 10m --fail-on-match", 'fail a CI job on any fatal error'],
    ["logclient query 'logs/*.log' 'level=error' --limit 20", 'query several files, also compressed'],
    ["logclient query --follow app.log 'level=error'", 'show errors as they are written'],
    ["node app.js | logclient query --stdin 'level=error'", 'query a pipe without a server'],
  ],
  async run(flags, words: readonly string[]) {
    const { readQueryAndLines } = await import('../../query/query-input.ts');
    const input = await readQueryAndLines(words, flags);
    checkGateFlags(flags);
    if (flags.live !== true) return runQuery(input, flags);
    const { runLive } = await import('../../query/query-live.ts');
    await runLive(input.query, flags);
  },
};

/** Runs a query on lines, or on the service without any. */
export async function runQuery({ query, lines }: QueryAndLines, flags: QueryFlags): Promise<void> {
  if (lines !== undefined) {
    const { runQueryOnLines } = await import('../../query/query-pipe.ts');
    await runQueryOnLines({ query, lines }, flags);
  } else {
    const { runQueryOnService } = await import('../../query/query-service.ts');
    await runQueryOnService(query, flags);
  }
}
