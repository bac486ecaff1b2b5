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
const AS_ON_EVERY_CALL = 'Also accepts the options [of every call](#every-call).';

/** In the order of the page. A heading stands for a part of it. */
export const OPTION_SECTIONS: readonly (OptionSection | string)[] = [
  '## Delivery',
  {
    title: 'Ingester, createPinoStream',
    of: INGESTER,
    intro:
      '`new Ingester(options)` and `createPinoStream(options)` accept all of these. The differences of the other transports are below.',
  },
  {
    title: 'spool',
    of: ['src/ingest/spool/spool-options.ts', 'SpoolOptions'],
    intro: 'Members of the option `spool`; see [the spool](delivery.md#the-spool).',
  },
  {
    title: 'pino.transport',
    of: [PINO, 'PinoTransportOptions'],
    beside: INGESTER,
    intro:
      "`pino.transport({ target: 'logclient/pino', options })` accepts the options of the ingester that are plain data and can be passed to pino's worker.",
  },
  {
    title: 'createPinoTransport',
    of: [PINO, 'PinoWorkerStreamOptions'],
    beside: INGESTER,
    intro:
      '`createPinoTransport(options)` accepts the options of the ingester. Hooks run on the main thread.',
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
      '`new LogTransport(options)` of `logclient/winston` accepts the options of the ingester, and some of winston.',
  },
  {
    title: 'logger.query',
    of: ['transports/winston/record-query.ts', 'RecordQuery'],
    intro: '`logger.query(options, callback)` of winston, through `LogTransport`. It needs a user token.',
  },
  {
    title: 'logger.stream',
    of: ['transports/winston/record-query.ts', 'RecordStreamOptions'],
    intro: '`logger.stream(options)` of winston, through `LogTransport`. It needs a user token.',
  },
  '## Hook arguments and stats\n\nThe events `drop`, `warn`, `recovered` and `stats` of a transport pass the same objects.',
  {
    title: 'onDrop',
    of: ['src/ingest/dropped-records.ts', 'DroppedRecords'],
    isRecord: true,
    intro: 'If a worker delivers the records, there are no `events`.',
  },
  {
    title: 'onWarning',
    of: ['src/ingest/warning.ts', 'Warning'],
    isRecord: true,
    intro: '[Troubleshooting](troubleshooting.md) lists the messages.',
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
    intro:
      'Also accepts `agent`, `baseUrl`, `ca`, `clientName`, `fetch`, `headers`, `proxy` and `timeoutMs`, like `LogClient`.',
  },
  { title: 'Every call', of: CALL, intro: 'Every method of a client also accepts these.' },
  '## Queries',
  { title: 'createQueryJob, streamingQuery', of: QUERY, intro: '' },
  {
    title: 'query',
    of: ['src/query/run-query.ts', 'RunQueryOptions'],
    beside: QUERY,
    intro: 'Also accepts the options [of a query](#createqueryjob-streamingquery), except `isLive`.',
  },
  {
    title: 'poll, pollUntilDone',
    of: ['src/query/base-query-job.ts', 'PollOptions'],
    beside: CALL,
    intro: `Methods of a query job. ${AS_ON_EVERY_CALL}`,
  },
  '## Tails',
  { title: 'tail', of: ['src/tail/tail-options.ts', 'TailOptions'], intro: '' },
  { title: 'watch', of: LIVE, intro: '' },
  {
    title: 'waitFor',
    of: ['src/tail/wait-for.ts', 'WaitForOptions'],
    beside: LIVE,
    intro: 'Also accepts the options [of `watch`](#watch); `timeoutMs` has a different meaning.',
  },
  { title: 'toReadable', of: ['src/tail/to-readable.ts', 'ToReadableOptions'], intro: '' },
  '## Direct ingest, files and maintenance\n\nAll of these also accept the options [of every call](#every-call).',
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
    intro: '[Local server](local-server.md) describes what it serves and the flags of `logclient serve`.',
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
      '`server.faults.add(fault)` makes requests fail. Durations are real time, independent of `server.clock`.',
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
  '## Tests\n\nSee [Testing](testing.md).',
  { title: 'startLogTest', of: ['src/testing/log-test-options.ts', 'LogTestOptions'], intro: '' },
  {
    title: 'capture',
    of: ['src/testing/loggers/logger-capture.ts', 'CaptureOptions'],
    intro:
      '`logs.capture(logger, options)`, and `captureLogs(logger, options)`, which also accepts those of `startLogTest`.',
  },
  { title: 'Matchers and assertions', of: ['src/testing/looks/log-source.ts', 'LookOptions'], intro: '' },
  {
    title: 'toEventuallyHaveLogged',
    of: ['src/testing/looks/look.ts', 'EventualLookOptions'],
    beside: ['src/testing/looks/log-source.ts', 'LookOptions'],
    intro: 'Also accepts `start` and `end`.',
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
