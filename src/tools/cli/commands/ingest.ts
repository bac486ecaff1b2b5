import { namedValue, repeated, wholeNumber } from '../../output/flag-values.ts';
import { LINE_TIME_ZONE } from '../../output/output-flags.ts';
import type { CommandRow } from '../command.ts';
import type { IngestFlags } from '../ingest/ingest-flags.ts';

export const INGEST: CommandRow<IngestFlags> = {
  usage: 'ingest [files...]',
  about:
    'Ship lines from files or stdin. Lines are read as by "logclient query FILE": JSON, logfmt and the text formats of many programs keep their times, and JSON and logfmt their fields. Lines of a source without any time are sent as text and run through a parser. Authenticates with LOGSCALE_INGEST_TOKEN, or with a user token and a repository.',
  args: ['Files to read (paths, patterns or "-" for stdin), also compressed ones. Default: stdin.'],
  flags: [
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
  ],
  connects: true,
  examples: [
    ['cat app.log | logclient ingest --tag service=shop', 'ship lines from a pipe and add a tag'],
    ['node app.js | logclient ingest --echo', 'ship the logs of an app and print them in color'],
    ['logclient ingest app.log other.log', 'ship several files'],
    ['logclient ingest --redact --redact-key ssn app.log', 'replace secrets before they are sent'],
    ['logclient ingest --parser accesslog access.log', 'run text through a parser'],
    ['logclient ingest --follow app.log', 'follow a growing file'],
  ],
  run: async (flags, files: readonly string[]) =>
    (await import('../ingest/ingest-lines.ts')).ingest(files, flags),
};
