import type { Command } from 'commander';
import type { TailFlags } from '../asking/tail-flags.ts';
import { withExamples } from '../examples.ts';
import { namedValue, pointInTime, textPattern, wholeNumber } from '../flag-values.ts';
import { addOutputFlags } from '../output/output-flags.ts';
import { addConnectionFlags } from '../settings/connection-flags.ts';

/** `logclient tail`: events as they arrive, until someone stops it. */
export function addTailCommand(program: Command): void {
  const command = program
    .command('tail')
    .description('Follow a query: show its events as they arrive. Ctrl-C ends it.')
    .argument('[query]', 'The text of the query. Default: all events.')
    .option(
      '--last <number>',
      'Begin with so many events that are there already. Default: 10.',
      wholeNumber(0, 100_000),
    )
    .option(
      '-s, --since <time>',
      'Begin with the events since then, in place of --last: 15m, 2h.',
      pointInTime,
    )
    .option('-n, --limit <number>', 'End after so many events. Default: never.', wholeNumber(1))
    .option(
      '--highlight <text>',
      'Mark this text, where there are colors; /…/ is an expression, /…/i in any case. Can be repeated.',
      textPattern,
    )
    .option(
      '--exclude <text>',
      'Leave out events with this text in them, written as for --highlight. Can be repeated.',
      textPattern,
    )
    .option('--param <name=value>', 'A value for ?name in the query. Can be repeated.', namedValue);
  withExamples(
    command,
    ['logclient tail', 'everything that arrives, after the last ten events'],
    ["logclient tail 'level=error #service=shop' --last 50", 'the errors of a service, the last fifty first'],
    [
      "logclient tail --exclude /healthz --highlight '/time ?out/i'",
      'without the probes, and with what matters in sight',
    ],
    ['logclient tail level=error --since 15m --limit 3', 'three of them, and end'],
    ['logclient tail level=error -o ndjson | jq -r .msg', 'for a program, as they come'],
  );
  addOutputFlags(command);
  addConnectionFlags(command);
  command.allowExcessArguments(false).action(async (query: string | undefined, flags: TailFlags) => {
    const { tailService } = await import('../asking/tail-service.ts');
    await tailService(query ?? '', flags);
  });
}
