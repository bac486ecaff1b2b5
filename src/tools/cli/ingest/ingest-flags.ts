import type { Flag, FlagsOf } from '../../output/flag.ts';
import { namedValue, repeated, wholeNumber } from '../../output/flag-values.ts';
import { LINE_TIME_ZONE } from '../../output/output-flags.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';

export const INGEST_FLAGS = [
  ['-F, --follow', 'Keep shipping new lines until Ctrl-C, even if files are rotated.'],
  ['--only-new', 'With --follow, skip lines that are already in the files.'],
  ['--parser <name>', 'Parse all lines with this parser, unless the token has one.'],
  ['--text', "Send all lines, including JSON, as text and run them through the token's parser."],
  ['--tag <name=value>', 'Tag to add to all events. Repeatable.', namedValue],
  [
    '--field <name=value>',
    'Field to add to all events. Overrides a field with the same name. Repeatable.',
    namedValue,
  ],
  [
    '--format <format>',
    'Format of the requests. "hec" is for event collectors: set LOGSCALE_INGEST_URL to the address and LOGSCALE_INGEST_TOKEN to the API key. Default: LOGSCALE_FORMAT, else structured.',
    ['structured', 'hec'],
  ],
  [
    '--retry-timeout <seconds>',
    'Stop after retrying for this long without progress. Default: 60 once connected, or no limit with --follow.',
    wholeNumber(1, 86_400),
  ],
  ['--redact', 'Replace secrets, such as passwords, tokens and card numbers, before lines are sent.'],
  ['--redact-key <name>', 'With --redact, also replace the values of this field. Repeatable.', repeated],
  ['--echo', 'Also print each line on stdout, as "logclient tail" would on a terminal.'],
  ['-q, --quiet', 'Show only errors on stderr.'],
  LINE_TIME_ZONE,
] as const satisfies readonly Flag[];

export type IngestFlags = ConnectionFlags & FlagsOf<typeof INGEST_FLAGS>;
