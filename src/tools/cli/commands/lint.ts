import { type Command, Option } from 'commander';
import type { FormatFlags } from '../../lint/format-files.ts';
import type { LintFlags } from '../../lint/lint.ts';
import { nameList, wholeNumber } from '../../output/flag-values.ts';
import { withExamples } from '../examples.ts';

const PATHS =
  'Files or folders ("-" for stdin): .lql and .cql files, lql`…` templates in TypeScript and JavaScript, queries in YAML and JSON, and code blocks in Markdown.';

/** Names of members that have queries. */
export function keyOption(): Option {
  return new Option(
    '--key <names>',
    'Further names of YAML and JSON members that have queries, comma-separated, such as rule.condition. Default: LOGCLIENT_QUERY_KEYS.',
  )
    .argParser(nameList)
    .env('LOGCLIENT_QUERY_KEYS');
}

/** `logclient lint`: finds problems in queries without a server. */
export function addLintCommand(program: Command): void {
  const command = program
    .command('lint')
    .summary('Find problems in queries.')
    .description(
      'Find problems in queries, without a server: unknown functions and parameters, wrong arguments, fields that no row can have, and syntax from SPL, SQL, KQL, LogQL, Lucene and jq. Exits with status 1 if there are problems, and with 2 if a folder contains no queries.',
    )
    .argument('[paths...]', PATHS)
    .addOption(
      new Option('-o, --output <format>', 'Report format. Default: text.').choices([
        'text',
        'json',
        'github',
        'junit',
        'sarif',
      ]),
    )
    .addOption(keyOption())
    .option('--fix', "Write the fixes of queries that can't be parsed to the files.")
    .option(
      '--fix-suggestions',
      'Also write the suggested fixes of errors and warnings in other queries, which change what they mean.',
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'Exit with status 1 from this severity on. Default: warning.',
      ).choices(['error', 'warning', 'info']),
    )
    .addOption(
      new Option('--color <when>', 'When to use color. Default: auto.').choices(['auto', 'always', 'never']),
    );
  withExamples(
    command,
    ['logclient lint src queries', 'check all queries of a project'],
    ['logclient lint queries --key rule.condition', 'also check the member "condition" of "rule" in YAML'],
    ['logclient lint queries --output github', 'annotate a pull request in a GitHub workflow'],
    ["echo 'level=error | count()' | logclient lint -", 'check a query from a pipe'],
  );
  command.action(async (paths: readonly string[], flags: LintFlags) => {
    const { lint } = await import('../../lint/lint.ts');
    await lint(paths, flags);
  });
}

/** `logclient format`: formats queries without a server. */
export function addFormatCommand(program: Command): void {
  const command = program
    .command('format')
    .summary('Format queries.')
    .description(
      'Format queries in files. Comments stay, and the meaning never changes. Writes to stdout unless --write or --check is given. Text outside of queries stays as it is. Queries in folded, escaped and shared YAML strings are reported, but not formatted.',
    )
    .argument('[paths...]', PATHS)
    .addOption(
      new Option('-o, --output <format>', 'Report format of --check. Default: text.').choices([
        'text',
        'github',
      ]),
    )
    .addOption(keyOption())
    .option('--write', 'Write the formatted queries to the files.')
    .option('--check', 'Only list files that are not formatted, and exit with status 1 if there are any.')
    .option('--parens', 'Write parentheses around each "or" beside an "and".')
    .option('--width <columns>', 'Line width. Default: 100.', wholeNumber(20, 1000));
  withExamples(
    command,
    ['logclient format query.lql', 'show a formatted query'],
    ['logclient format --write src queries', 'format all queries of a project'],
    ['logclient format --check src queries', 'check in CI that all queries are formatted'],
  );
  command.action(async (paths: readonly string[], flags: FormatFlags) => {
    const { formatFiles } = await import('../../lint/format-files.ts');
    await formatFiles(paths, flags);
  });
}
