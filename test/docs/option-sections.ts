/** A table of docs/options.md. */
export interface OptionSection {
  readonly title: string;
  /** The file and the name of the type. */
  readonly of: readonly [file: string, type: string];
  /** What stands above the table. */
  readonly intro: string;
  /** What the package tells, rather than is told: there are no defaults. */
  readonly isRecord?: boolean;
  /** A type with a table of its own: its members are left out, and those that it has beyond this one are named. */
  readonly beside?: readonly [file: string, type: string];
}

const INGESTER = ['src/ingest/ingester-options.ts', 'IngesterOptions'] as const;
const CALL = ['src/web/call-options.ts', 'CallOptions'] as const;
const QUERY = ['src/query/query-options.ts', 'QueryOptions'] as const;
const LIVE = ['src/tail/live-query-options.ts', 'LiveQueryOptions'] as const;
const PINO = 'transports/pino/pino-options.ts';
const AS_ON_EVERY_CALL = 'Beside these, it takes the options [of every call](#every-call).';

/** In the order of the page. A heading stands for a part of it. */
export const OPTION_SECTIONS: readonly (OptionSection | string)[] = [
  '## Delivery',
  {
    title: 'Ingester, createPinoStream',
    of: INGESTER,
    intro:
      '`new Ingester(options)` and `createPinoStream(options)` take all of these; other forms are below.',
  },
  {
    title: 'spool',
    of: ['src/ingest/spool/spool-options.ts', 'SpoolOptions'],
    intro: 'The members of the option `spool`. [delivery.md](delivery.md#the-spool) tells what it does.',
  },
  {
    title: 'pino.transport',
    of: [PINO, 'PinoTransportOptions'],
    beside: INGESTER,
    intro:
      "`pino.transport({ target: 'logclient/pino', options })` takes the options of the ingester, but for what is no plain data and can't cross into pino's worker.",
  },
  {
    title: 'createPinoTransport',
    of: [PINO, 'PinoWorkerStreamOptions'],
    beside: INGESTER,
    intro:
      '`createPinoTransport(options)` takes the options of the ingester, and calls hooks in your thread.',
  },
  {
    title: 'flushOnSignals',
    of: ['transports/pino/flush-on-signals.ts', 'FlushOnSignalsOptions'],
    intro: '`flushOnSignals(logger, options)` of `logclient/pino`, for `pino.transport`.',
  },
  {
    title: 'LogTransport',
    of: ['transports/winston/winston-options.ts', 'LogTransportOptions'],
    beside: INGESTER,
    intro:
      '`new LogTransport(options)` of `logclient/winston` takes the options of the ingester, and some of winston.',
  },
  {
    title: 'logger.query',
    of: ['transports/winston/record-query.ts', 'RecordQuery'],
    intro: "`logger.query(options, callback)` of winston, through `LogTransport`. It needs a user's token.",
  },
  {
    title: 'logger.stream',
    of: ['transports/winston/record-query.ts', 'RecordStreamOptions'],
    intro: '`logger.stream(options)` of winston, the same way.',
  },
  '## What hooks are told\n\nThe same goes to those who listen to the events `drop`, `warn`, `recovered` and `stats` of a transport.',
  {
    title: 'onDrop',
    of: ['src/ingest/dropped-records.ts', 'DroppedRecords'],
    isRecord: true,
    intro: 'From a worker, without `events`.',
  },
  {
    title: 'onWarning',
    of: ['src/ingest/warning.ts', 'Warning'],
    isRecord: true,
    intro: '[troubleshooting.md](troubleshooting.md) has the messages.',
  },
  { title: 'onRecovered', of: ['src/ingest/ingester-observer.ts', 'Recovery'], isRecord: true, intro: '' },
  {
    title: 'stats',
    of: ['src/ingest/ingester-stats.ts', 'IngesterStats'],
    isRecord: true,
    intro: 'Of an ingester and of every transport.',
  },
  '## The client',
  { title: 'LogClient', of: ['src/client/client-options.ts', 'LogClientOptions'], intro: '' },
  {
    title: 'LogIngestClient',
    of: ['src/client/client-options.ts', 'LogIngestClientOptions'],
    beside: ['src/web/connection-options.ts', 'ConnectionOptions'],
    intro: 'It takes `agent`, `baseUrl`, `fetch`, `headers` and `timeoutMs` as well, as `LogClient` does.',
  },
  { title: 'Every call', of: CALL, intro: 'Every method of a client takes these as well.' },
  '## Queries',
  { title: 'createQueryJob, streamingQuery', of: QUERY, intro: '' },
  {
    title: 'query',
    of: ['src/query/run-query.ts', 'RunQueryOptions'],
    beside: QUERY,
    intro: 'It takes the options [of a query](#createqueryjob-streamingquery), too; `isLive` is refused.',
  },
  {
    title: 'poll, pollUntilDone',
    of: ['src/query/base-query-job.ts', 'PollOptions'],
    beside: CALL,
    intro: `Of a query job; \`poll\` takes those of every call alone. ${AS_ON_EVERY_CALL}`,
  },
  '## Tails',
  { title: 'tail', of: ['src/tail/tail-options.ts', 'TailOptions'], intro: '' },
  { title: 'watch', of: LIVE, intro: '' },
  {
    title: 'waitFor',
    of: ['src/tail/wait-for.ts', 'WaitForOptions'],
    beside: LIVE,
    intro: 'It takes the options [of `watch`](#watch), too, with another meaning of one.',
  },
  { title: 'toReadable', of: ['src/tail/to-readable.ts', 'ToReadableOptions'], intro: '' },
  `## Ingest by hand, files and maintenance\n\n${AS_ON_EVERY_CALL.replace('these, it takes', 'their own, all of them take')}`,
  ...calls([
    ['ingestMessages', 'ingest-calls', 'IngestMessagesOptions'],
    ['getFile', 'files', 'GetFileOptions'],
    ['getFileContent', 'file-contents', 'GetFileContentOptions'],
    ['addFileContents', 'file-contents', 'AddFileContentsOptions'],
    ['removeFileContents', 'file-contents', 'RowWindowOptions'],
    ['createRepository', 'repositories', 'CreateRepositoryOptions'],
    ['updateRetention', 'repositories', 'UpdateRetentionOptions'],
    ['createView', 'search-domains', 'CreateViewOptions'],
    ['deleteSearchDomain', 'search-domains', 'DeleteSearchDomainOptions'],
    ['addIngestToken', 'ingest-tokens', 'AddIngestTokenOptions'],
    ['createParser', 'parsers', 'CreateParserOptions'],
    ['updateParser', 'parsers', 'UpdateParserOptions'],
    ['createSavedQuery', 'saved-queries', 'SavedQueryOptions'],
    ['updateSavedQuery', 'saved-queries', 'UpdateSavedQueryOptions'],
    ['createUser', 'users', 'CreateUserOptions'],
    ['updateUser', 'user-details', 'UpdateUserOptions'],
    ['createOrganization', 'organizations', 'CreateOrganizationOptions'],
    ['validateQuery', 'query-validation', 'ValidateQueryOptions'],
  ]),
  '## The local server',
  {
    title: 'startLocalServer',
    of: ['src/local-server/local-server-options.ts', 'LocalServerOptions'],
    intro: '[local-server.md](local-server.md) tells what it serves, and has the flags of `logclient serve`.',
  },
  {
    title: 'referenceData',
    of: ['src/local-server/reference-data/reference-data-options.ts', 'ReferenceDataOptions'],
    intro: 'The members of the option `referenceData`.',
  },
  {
    title: 'faults.add',
    of: ['src/local-server/faults/fault.ts', 'Fault'],
    intro:
      '`server.faults.add(fault)` makes requests fail. Times are real time, whatever `server.clock` says.',
  },
  { title: 'faults.closePort', of: ['src/local-server/faults/fault.ts', 'ClosePortOptions'], intro: '' },
  '## Queries over lines',
  {
    title: 'LineQuery',
    of: ['src/local-server/line-query/line-query-options.ts', 'LineQueryOptions'],
    intro: '`new LineQuery(query, options)` of `logclient/line-query`.',
  },
  '## The query language',
  {
    title: 'parse',
    of: ['src/query-language/parser.ts', 'ParseOptions'],
    intro: '`parse(query, options)` of `logclient/query-language`.',
  },
  '## Tests\n\n[testing.md](testing.md) tells how to use them.',
  { title: 'startLogTest', of: ['src/testing/log-test-options.ts', 'LogTestOptions'], intro: '' },
  {
    title: 'capture',
    of: ['src/testing/loggers/logger-capture.ts', 'CaptureOptions'],
    intro:
      '`logs.capture(logger, options)`, and `captureLogs(logger, options)`, which takes those of `startLogTest` as well.',
  },
  { title: 'Matchers and assertions', of: ['src/testing/looks/log-source.ts', 'LookOptions'], intro: '' },
  {
    title: 'toEventuallyHaveLogged',
    of: ['src/testing/looks/look.ts', 'EventualLookOptions'],
    beside: ['src/testing/looks/log-source.ts', 'LookOptions'],
    intro: 'Beside `start` and `end`.',
  },
];

function calls(rows: readonly (readonly [string, string, string])[]): OptionSection[] {
  return rows.map(([title, file, type]) => ({
    title,
    of: [`src/client/${file}.ts`, type],
    beside: CALL,
    intro: '',
  }));
}
