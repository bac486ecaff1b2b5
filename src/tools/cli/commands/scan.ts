import { InvalidArgumentError } from 'commander';
import { DEFAULT_KINDS } from '../../../core/secrets/secret-kinds.ts';
import { fieldName } from '../../output/flag-values.ts';
import type { CommandRow } from '../command.ts';
import type { ScanFlags } from '../log-reports/scan.ts';

const KINDS = Object.keys(DEFAULT_KINDS);

/** `logclient scan`: finds secrets in logs. */
export const SCAN: CommandRow<ScanFlags> = {
  usage: 'scan [files...]',
  summary: 'Find secrets and personal data in logs.',
  about:
    'Find secrets and personal data in the lines of files or stdin, without a server: passwords, tokens, private keys, card numbers and e-mail addresses, in fields of JSON at any depth and in text. Shows masked samples only, and the option that redacts them. Exits with status 1 if it finds any, and with 2 if there are no lines.',
  args: ['Files to read ("-" for stdin). Default: stdin.'],
  flags: [
    ['--key <name>', 'Field whose values are secret, at any depth. Repeatable.', fieldName],
    ['--ignore <kind>', `Kind to ignore: ${KINDS.join(', ')}. Repeatable.`, kinds],
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

function kinds(text: string, before: readonly string[] = []): readonly string[] {
  if (KINDS.includes(text)) return [...before, text];
  throw new InvalidArgumentError(`It must be one of ${KINDS.join(', ')}.`);
}
