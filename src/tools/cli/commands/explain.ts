import type { Command } from 'commander';
import { usageFailure } from '../../output/command-failure.ts';
import { addFlags } from '../../output/flag.ts';
import { addOutputFlags } from '../../output/output-flags.ts';
import { addRunFlags, type QueryFlags } from '../../query/query-flags.ts';
import { intervalOf, timeFlags } from '../../query/time-flags.ts';
import { addConnectionFlags } from '../../settings/connection-flags.ts';
import { withExamples } from '../examples.ts';

const NUMBER_COLUMNS = ['stepID', 'timeMs', 'eventsIn', 'eventsOut'];

/** `logclient explain`: runs a query, and shows the events and the time of each step. */
export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .summary('Show the events and the time of each step of a query.')
    .description(
      'Run a query and show how many events go into and out of each step, and how long the step takes. Adds explain:asTable() to the query.',
    )
    .argument(
      '[file]',
      'File to query without a server (NDJSON or text; "-" for stdin). Default: query the service.',
    )
    .argument('[query]', 'Query to explain.')
    .option('-f, --file <path>', 'Read the query from a file ("-" for stdin).')
    .option('--stdin', 'Run the query on lines from stdin (NDJSON or text) without a server.');
  addRunFlags(command);
  withExamples(
    command,
    ["logclient explain 'level=error | groupBy(#service)' --since 2h", 'find the step that drops events'],
    ["logclient explain app.log 'level=error | groupBy(msg)'", 'explain a query on a file'],
  );
  addFlags(command, timeFlags('Default: 24 hours, or all lines with --stdin.'));
  addOutputFlags(command);
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(explain);
}

async function explain(
  first: string | undefined,
  second: string | undefined,
  flags: QueryFlags,
): Promise<void> {
  if (first === undefined && flags.file === undefined) {
    throw usageFailure('no query given. Pass it as an argument, or pass --file <path> ("-" for stdin).');
  }
  const { present, readQueryAndLines } = await import('../../query/query-input.ts');
  // A comment can end the query.
  const { query, lines } = await readQueryAndLines(present(first, second), flags);
  const queryString = `${query.trimEnd() || '*'}\n| explain:asTable()`;
  const interval = intervalOf(flags);
  const options = { ...flags, numberColumns: NUMBER_COLUMNS, explained: query };
  if (lines !== undefined) {
    const { runQueryOnLines } = await import('../../query/query-pipe.ts');
    await runQueryOnLines({ query: queryString, lines }, interval, options);
  } else {
    const { runQueryOnService } = await import('../../query/query-service.ts');
    await runQueryOnService(queryString, interval, options);
  }
}
