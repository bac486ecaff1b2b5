import type { Command } from 'commander';
import { addGateFlags, checkGateFlags } from '../asking/gate.ts';
import type { QueryFlags } from '../asking/query-flags.ts';
import { queryText } from '../asking/query-text.ts';
import { addTimeFlags, intervalOf } from '../asking/time-flags.ts';
import { withExamples } from '../examples.ts';
import { namedValue, wholeNumber } from '../flag-values.ts';
import { addOutputFlags } from '../output/output-flags.ts';
import { addConnectionFlags } from '../settings/connection-flags.ts';

/** `logclient query`: the rows of a query, from the service or of what comes through a pipe. */
export function addQueryCommand(program: Command): void {
  const command = program
    .command('query')
    .description('Run a query and show its rows. Events come newest first.')
    .argument('[query]', 'The text of the query. Default: all events.')
    .option('-f, --file <path>', 'Read the query from a file.')
    .option(
      '--stdin',
      'Ask the lines of stdin (NDJSON, or plain text) with no service at all. They come in their order.',
    )
    .option(
      '--live',
      'Show the result again whenever it has changed, until Ctrl-C: in place on a terminal, one after the other in a pipe.',
    )
    .option('-n, --limit <number>', 'Show no more rows than this. Default: all.', wholeNumber(1))
    .option('--param <name=value>', 'A value for ?name in the query. Can be repeated.', namedValue)
    .option(
      '--max-memory <MiB>',
      'With --stdin: how much a query may keep that needs all events at once. Default: 512.',
      wholeNumber(1, 65_536),
    );
  withExamples(
    command,
    ["logclient query 'level=error' --since 2h", 'the errors of the last two hours'],
    ["logclient query 'groupBy(level)' --since 7d", 'count by level, with bars on a terminal'],
    ["logclient query 'timeChart(level)' --from 2d --to 1d", 'a chart of the day before'],
    ["logclient query --live 'groupBy(level)' --since 15m", 'a table that keeps up to date'],
    [
      "logclient query 'level=error' --limit 100 -o csv > errors.csv",
      'the newest hundred, for a spreadsheet',
    ],
    ["logclient query 'level=error' --template '{@timestamp} {msg}'", 'in words of your own'],
    [
      "logclient query 'level=fatal' --since 10m --fail-on-match",
      'a gate for CI: ends with 1 if there is one',
    ],
    [
      "cat app.log | logclient query --stdin 'groupBy(level, function=[count(), max(ms)])'",
      'ask a file, with no service',
    ],
  );
  addTimeFlags(command, 'Default: 24 hours; with --stdin all lines.');
  addGateFlags(command);
  addOutputFlags(command);
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(query);
}

async function query(text: string | undefined, flags: QueryFlags): Promise<void> {
  const queryString = await queryText(text, flags);
  const interval = intervalOf(flags);
  checkGateFlags(flags);
  if (flags.live === true) {
    const { queryLive } = await import('../asking/query-live.ts');
    await queryLive(queryString, interval, flags);
  } else if (flags.stdin === true) {
    const { queryPipe } = await import('../asking/query-pipe.ts');
    await queryPipe(queryString, interval, flags);
  } else {
    const { queryService } = await import('../asking/query-service.ts');
    await queryService(queryString, interval, flags);
  }
}
