import { namedValue, pointInTime, textPattern, wholeNumber } from '../../output/flag-values.ts';
import type { TailFlags } from '../../query/tail-service.ts';
import type { CommandRow } from '../command.ts';

export const TAIL: CommandRow<TailFlags> = {
  usage: 'tail [query]',
  about: 'Show matching events as they arrive. Press Ctrl-C to stop.',
  args: ['Query to run. Default: all events.'],
  flags: [
    [
      '--last <number>',
      'Number of past events to show first. Default: 10.',
      wholeNumber(0, 100_000),
      'since',
    ],
    ['-s, --since <time>', 'How far back to start: 15m, 2h, "7 days". Use instead of --last.', pointInTime],
    ['-n, --limit <number>', 'Stop after this many events. Default: no limit.', wholeNumber(1)],
    [
      '--highlight <text>',
      'Text to highlight when colors are on, or a regular expression: /…/, or /…/i to ignore case. Repeatable.',
      textPattern,
    ],
    [
      '--exclude <text>',
      'Hide events that match this text or regular expression (/…/). Repeatable.',
      textPattern,
    ],
    ['--param <name=value>', 'Value for the ?name parameter in the query. Repeatable.', namedValue],
  ],
  output: 'events',
  connects: true,
  examples: [
    ['logclient tail', 'show the last ten events, then new ones as they arrive'],
    ["logclient tail 'level=error #service=shop' --last 50", 'show errors from one service'],
    [
      "logclient tail --exclude /healthz --highlight '/time ?out/i'",
      'hide health checks and highlight timeouts',
    ],
    ['logclient tail level=error --since 15m --limit 3', 'stop after three events'],
    ['logclient tail level=error -o ndjson | jq -r .msg', 'pipe to another program'],
  ],
  run: async (flags, query: string | undefined) =>
    (await import('../../query/tail-service.ts')).runTail(query ?? '', flags),
};
