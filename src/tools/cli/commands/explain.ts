import { type QueryFlags, RUN_FLAGS, requireQuery } from '../../query/query-flags.ts';
import { timeFlags } from '../../query/time-flags.ts';
import type { CommandRow } from '../command.ts';
import { runQuery } from './query.ts';

const NUMBER_COLUMNS = ['stepID', 'timeMs', 'eventsIn', 'eventsOut'];

export const EXPLAIN: CommandRow<QueryFlags> = {
  usage: 'explain [file] [query]',
  about:
    'Show the events and the time of each step of a query. Runs the query with explain:asTable() at its end.',
  args: [
    'File to query without a server (NDJSON or text; "-" for stdin). Default: query the service.',
    'Query to explain.',
  ],
  flags: [
    ['-f, --file <path>', 'Read the query from a file ("-" for stdin).'],
    ['--stdin', 'Run the query on lines from stdin (NDJSON or text) without a server.'],
    ...RUN_FLAGS,
    ...timeFlags('Default: 24 hours; all of files and stdin.'),
  ],
  output: 'result',
  connects: true,
  examples: [
    ["logclient explain 'level=error | groupBy(#service)' --since 2h", 'find the step that drops events'],
    ["logclient explain app.log 'level=error | groupBy(msg)'", 'explain a query on a file'],
  ],
  async run(flags, ...given: readonly (string | undefined)[]) {
    const words = given.filter((word) => word !== undefined);
    requireQuery(words[0], flags);
    const { readQueryAndLines } = await import('../../query/query-input.ts');
    const { query, lines } = await readQueryAndLines(words, flags);
    // A comment can end the query.
    const explaining = { query: `${query.trimEnd() || '*'}\n| explain:asTable()`, lines };
    const options = { ...flags, numberColumns: NUMBER_COLUMNS, explained: query };
    await runQuery(explaining, options);
  },
};
