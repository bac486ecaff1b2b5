import type { CommandRow } from '../command.ts';
import { INGEST_FLAGS, type IngestFlags } from '../ingest/ingest-flags.ts';

export const INGEST: CommandRow<IngestFlags> = {
  usage: 'ingest [files...]',
  about:
    'Ship lines from files or stdin. Lines are read as by "logclient query FILE": JSON, logfmt and the text formats of many programs keep their times, and JSON and logfmt their fields. Lines of a source without any time are sent as text and run through a parser. Authenticates with LOGSCALE_INGEST_TOKEN, or with a user token and a repository.',
  args: ['Files to read (paths, patterns or "-" for stdin), also compressed ones. Default: stdin.'],
  flags: INGEST_FLAGS,
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
