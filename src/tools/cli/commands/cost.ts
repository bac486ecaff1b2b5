import type { Command } from 'commander';
import { namedValue } from '../../output/flag-values.ts';
import { addLineTimeZone, addOutputFlags } from '../../output/output-flags.ts';
import { withExamples } from '../examples.ts';
import type { CostFlags } from '../log-reports/cost.ts';

/** `logclient cost`: the volume that the service bills. */
export function addCostCommand(program: Command): void {
  const command = program
    .command('cost')
    .summary('Show the ingest volume of logs, and what would reduce it.')
    .description(
      'Show the bytes that the service bills for the lines of files or stdin if a transport sends them, without a server: by service, level, message pattern and field, per day and per month at the rate of the log. Rows with "saving" name changes that reduce the volume. Names on stderr what the formula of the service leaves open.',
    )
    .argument('[files...]', 'Files to read ("-" for stdin). Default: stdin.')
    .option('--tag <name=value>', 'Tag that the transport adds to all records. Repeatable.', namedValue);
  withExamples(
    command,
    ['logclient cost app.log', 'find what the volume consists of'],
    ['logclient cost app.log --tag service=shop -o csv', 'count a tag, too, and write CSV'],
    ["logclient query '#service=shop' --since 1d -o ndjson | logclient cost", 'of records in the service'],
  );
  addLineTimeZone(command);
  addOutputFlags(command, 'list');
  command.action(async (files: readonly string[], flags: CostFlags) => {
    const { cost } = await import('../log-reports/cost.ts');
    await cost(files, flags);
  });
}
