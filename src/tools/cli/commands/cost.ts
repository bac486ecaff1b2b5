import { namedValue } from '../../output/flag-values.ts';
import { LINE_TIME_ZONE } from '../../output/output-flags.ts';
import type { CommandRow } from '../command.ts';
import type { CostFlags } from '../log-reports/cost.ts';

/** `logclient cost`: the volume that the service bills. */
export const COST: CommandRow<CostFlags> = {
  usage: 'cost [files...]',
  summary: 'Show the ingest volume of logs, and what would reduce it.',
  about:
    'Show the bytes that the service bills for the lines of files or stdin if a transport sends them, without a server: by service, level, message pattern and field, per day and per month at the rate of the log. Rows with "saving" name changes that reduce the volume. Names on stderr what the formula of the service leaves open.',
  args: ['Files to read ("-" for stdin). Default: stdin.'],
  flags: [
    ['--tag <name=value>', 'Tag that the transport adds to all records. Repeatable.', namedValue],
    LINE_TIME_ZONE,
  ],
  output: 'list',
  examples: [
    ['logclient cost app.log', 'find what the volume consists of'],
    ['logclient cost app.log --tag service=shop -o csv', 'count a tag, too, and write CSV'],
    ["logclient query '#service=shop' --since 1d -o ndjson | logclient cost", 'of records in the service'],
  ],
  run: async (flags, files: readonly string[]) => (await import('../log-reports/cost.ts')).cost(files, flags),
};
