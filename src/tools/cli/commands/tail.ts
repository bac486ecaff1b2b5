import type { Command } from 'commander';
import { namedValue, pointInTime, textPattern, wholeNumber } from '../../output/flag-values.ts';
import { addOutputFlags } from '../../output/output-flags.ts';
import type { TailFlags } from '../../query/tail-flags.ts';
import { addConnectionFlags } from '../../settings/connection-flags.ts';
import { withExamples } from '../examples.ts';

/** `logclient tail`: shows events as they arrive. */
export function addTailCommand(program: Command): void {
  const command = program
    .command('tail')
    .description('Show matching events as they arrive. Press Ctrl-C to stop.')
    .argument('[query]', 'Query to run. Default: all events.')
    .option('--last <number>', 'Number of past events to show first. Default: 10.', wholeNumber(0, 100_000))
    .option(
      '-s, --since <time>',
      'How far back to start: 15m, 2h, "7 days". Use instead of --last.',
      pointInTime,
    )
    .option('-n, --limit <number>', 'Stop after this many events. Default: no limit.', wholeNumber(1))
    .option(
      '--highlight <text>',
      'Text to highlight when colors are on, or a regular expression: /…/, or /…/i to ignore case. Repeatable.',
      textPattern,
    )
    .option(
      '--exclude <text>',
      'Hide events that match this text or regular expression (/…/). Repeatable.',
      textPattern,
    )
    .option('--param <name=value>', 'Value for the ?name parameter in the query. Repeatable.', namedValue);
  withExamples(
    command,
    ['logclient tail', 'show the last ten events, then new ones as they arrive'],
    ["logclient tail 'level=error #service=shop' --last 50", 'show errors from one service'],
    [
      "logclient tail --exclude /healthz --highlight '/time ?out/i'",
      'hide health checks and highlight timeouts',
    ],
    ['logclient tail level=error --since 15m --limit 3', 'stop after three events'],
    ['logclient tail level=error -o ndjson | jq -r .msg', 'pipe to another program'],
  );
  addOutputFlags(command, 'events');
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(async (query: string | undefined, flags: TailFlags) => {
    const { runTail } = await import('../../query/tail-service.ts');
    await runTail(query ?? '', flags);
  });
}
