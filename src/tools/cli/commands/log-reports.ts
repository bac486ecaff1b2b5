import { DEFAULT_KINDS } from '../../../core/secrets/secret-kinds.ts';
import { matching, namedValue, secretKey } from '../../output/flag-values.ts';
import { LINE_TIME_ZONE } from '../../output/output-flags.ts';
import type { CommandRow } from '../command.ts';
import type { CostFlags } from '../log-reports/cost.ts';
import type { DiffFlags } from '../log-reports/diff.ts';
import type { ScanFlags } from '../log-reports/scan.ts';

const KINDS = Object.keys(DEFAULT_KINDS).join(', ');
const KIND = new RegExp(`^(?:${KINDS.replaceAll(', ', '|')})$`);

export const SCAN: CommandRow<ScanFlags> = {
  usage: 'scan [files...]',
  about:
    'Find secrets and personal data in logs. Reads files or stdin, without a server, and finds passwords, tokens, private keys, card numbers and e-mail addresses, in fields of JSON at any depth and in text. Shows a masked sample of each, the file and line of the first one, and the option that redacts them. Exits with status 1 if it finds any, and with 2 if there are no lines.',
  args: ['Files to read ("-" for stdin). Default: stdin.'],
  flags: [
    ['--key <name>', 'Field whose values are secret, at any depth. Repeatable.', secretKey],
    [
      '--ignore <kind>',
      `Kind to ignore: ${KINDS}. Repeatable.`,
      matching(KIND, `It must be one of ${KINDS}.`),
    ],
  ],
  output: 'list',
  examples: [
    ['logclient scan app.log', 'find secrets in a file'],
    ['npm test 2>&1 | logclient scan --ignore email', 'fail in CI if tests log a secret'],
    [
      "logclient query '#service=shop' --since 1d -o ndjson | logclient scan",
      'find secrets in the result of a query',
    ],
  ],
  run: async (flags, files: readonly string[]) => (await import('../log-reports/scan.ts')).scan(files, flags),
};

export const COST: CommandRow<CostFlags> = {
  usage: 'cost [files...]',
  about:
    'Show the ingest volume of logs, and what would reduce it. Estimates the bytes that the service bills for the lines of files or stdin if a transport sends them, without a server: by service, level, message pattern and field, per day and per month at the rate of the log. Rows with "saving" name changes that reduce the volume. Names on stderr what the formula of the service leaves open.',
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

export const DIFF: CommandRow<DiffFlags> = {
  usage: 'diff <before> <after>',
  about:
    'Show what changed between two logs. Finds, without a server: patterns of messages, errors, their causes and requests, and fields that are new, gone or changed; a rate of records that moved by a factor of 2; and levels, patterns, fields and values (of fields with up to 20) whose share moved by a factor of 1.5 or 10 percentage points, and by more than chance explains. Logs of the same program show such a share in less than 5 % of comparisons. However many fields there are, levels, HTTP statuses and patterns are tested apart. IDs, numbers and quoted text in messages make no difference. Names on stderr what it left out. Exits with status 1 if anything changed.',
  args: ['Log to compare with ("-" for stdin).', 'Log to compare ("-" for stdin).'],
  flags: [['--markdown', 'Write a Markdown table, for example for a pull request.'], LINE_TIME_ZONE],
  output: 'list',
  examples: [
    ['logclient diff before.log after.log', 'compare two releases'],
    ['logclient diff before.log after.log --markdown', 'write a table for a pull request'],
    ['node app.js | logclient diff before.log -', 'compare with the output of a program'],
  ],
  run: async (flags, before: string, after: string) =>
    (await import('../log-reports/diff.ts')).diff(before, after, flags),
};
