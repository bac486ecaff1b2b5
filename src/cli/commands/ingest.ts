import type { Command } from 'commander';
import { withExamples } from '../examples.ts';
import { namedValue, wholeNumber } from '../flag-values.ts';
import { addConnectionFlags } from '../settings/connection-flags.ts';
import type { IngestFlags } from '../shipping/ingest-flags.ts';

/** `logclient ingest`: lines of files or of stdin to the service. */
export function addIngestCommand(program: Command): void {
  const command = program
    .command('ingest')
    .description(
      'Ship lines to the service. A line that is a JSON object is shipped with its fields and its time ("@timestamp", "timestamp" or "time"); any other line as text, through a parser. Uses LOGSCALE_INGEST_TOKEN, or a token and a repository.',
    )
    .argument('[files...]', 'The files to read. Default, and "-": stdin.')
    .option(
      '-F, --follow',
      'Go on with what is appended to the files, until Ctrl-C; also when they are replaced.',
    )
    .option('--only-new', 'With --follow: leave out what is in the files already.')
    .option('--parser <name>', 'Ship all lines as text through this parser.')
    .option('--text', 'Ship all lines as text, JSON too, through the parser of the token.')
    .option('--tag <name=value>', 'A tag for all events. Can be repeated.', namedValue)
    .option('--field <name=value>', 'A field for all events. Can be repeated.', namedValue)
    .option(
      '--patience <seconds>',
      'Give up when the service has taken nothing for so long. Default: 60; with --follow never.',
      wholeNumber(1, 86_400),
    )
    .option('-q, --quiet', 'No notes on stderr, only errors.');
  withExamples(
    command,
    ['cat app.log | logclient ingest --tag service=shop', 'the lines of a program'],
    ['logclient ingest app.log other.log', 'files'],
    ['logclient ingest --parser accesslog access.log', 'text, through a parser'],
    ['logclient ingest --follow app.log', 'a file that grows'],
  );
  addConnectionFlags(command);
  command.action(async (files: readonly string[], flags: IngestFlags) => {
    const { ingest } = await import('../shipping/ingest.ts');
    await ingest(files, flags);
  });
}
