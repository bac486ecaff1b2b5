import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { namedValue, wholeNumber } from '../flag-values.ts';
import type { IngestFlags } from '../ingest/ingest-flags.ts';
import { addConnectionFlags } from '../settings/connection-flags.ts';

/** `logclient ingest`: ships lines of files or of stdin. */
export function addIngestCommand(program: Command): void {
  const command = program
    .command('ingest')
    .description(
      'Ship lines from files or stdin. JSON lines keep their fields and their timestamp ("@timestamp", "timestamp" or "time"). Other lines are sent as text through a parser. Uses LOGSCALE_INGEST_TOKEN, or a user token and a repository.',
    )
    .summary('Ship lines from files or stdin.')
    .argument('[files...]', 'Files to read; "-" is stdin. Default: stdin.')
    .option('-F, --follow', 'Keep shipping appended lines until Ctrl-C, even if files are rotated.')
    .option('--only-new', 'With --follow: skip the current content of the files.')
    .option('--parser <name>', 'Send all lines as text through this parser.')
    .option('--text', "Send all lines, including JSON, as text through the token's parser.")
    .option('--tag <name=value>', 'Tag for all events. Repeatable.', namedValue)
    .option(
      '--field <name=value>',
      'Field for all events; overrides a field of the same name in a line. Repeatable.',
      namedValue,
    )
    .option(
      '--retry-timeout <seconds>',
      'Stop after retrying this long without progress. Default: 60; with --follow, no limit.',
      wholeNumber(1, 86_400),
    )
    .option('-q, --quiet', 'Show only errors on stderr.');
  withExamples(
    command,
    ['cat app.log | logclient ingest --tag service=shop', 'from a pipe, with a tag'],
    ['logclient ingest app.log other.log', 'several files'],
    ['logclient ingest --parser accesslog access.log', 'text through a parser'],
    ['logclient ingest --follow app.log', 'a growing file'],
  );
  addConnectionFlags(command);
  command.action(async (files: readonly string[], flags: IngestFlags) => {
    const { ingest } = await import('../ingest/ingest.ts');
    await ingest(files, flags);
  });
}
