/** A table of docs/options.md. */
export interface OptionSection {
  readonly title: string;
  /** The file and the name of the type. */
  readonly of: readonly [file: string, type: string];
  /** The text above the table. */
  readonly intro: string;
  /** The package returns this type instead of accepting it, so it has no defaults. */
  readonly isRecord?: boolean;
  /** A type with its own table. Shared members are omitted here; members that only it has are listed as not accepted. */
  readonly beside?: readonly [file: string, type: string];
}

const INGESTER = ['src/ingest/options.ts', 'IngesterOptions'] as const;
const CALL = ['src/core/http/call-options.ts', 'CallOptions'] as const;
const QUERY = ['src/client/query/query-options.ts', 'QueryOptions'] as const;
const LIVE = ['src/client/tail/live-query-options.ts', 'LiveQueryOptions'] as const;
const PINO = 'transports/pino/pino-options.ts';
const AS_ON_EVERY_CALL = 'Also accepts the [options for every call](#every-call).';

/** The page's sections in order. A string is a heading. */
export const OPTION_SECTIONS: readonly (OptionSection | string)[] = [
  '## Delivery',
  {
    title: 'Ingester, createPinoStream',
    of: INGESTER,
    intro:
      '`new Ingester(options)` and `createPinoStream(options)` accept all of these options. The sections below describe how the other transports differ.',
  },
  {
    title: 'spool',
    of: ['src/ingest/spool/spool-options.ts', 'SpoolOptions'],
    intro: 'Members of the `spool` option. See [the spool](delivery.md#the-spool).',
  },
  {
    title: 'redact',
    of: ['src/ingest/redact-options.ts', 'RedactOptions'],
    intro: 'Members of the `redact` option. See [redact secrets](production.md#redact-secrets).',
  },
  {
    title: 'pino.transport',
    of: [PINO, 'PinoTransportOptions'],
    beside: INGESTER,
    intro:
      "`pino.transport({ target: 'logclient/pino', options })` accepts only ingester options that are plain data, because pino passes them to a worker.",
  },
  {
    title: 'createPinoTransport',
    of: [PINO, 'CreatePinoTransportOptions'],
    beside: INGESTER,
    intro: '`createPinoTransport(options)` accepts the ingester options. Hooks run on the main thread.',
  },
  {
    title: 'flushOnSignals',
    of: ['transports/pino/flush-on-signals.ts', 'FlushOnSignalsOptions'],
    intro:
      'Options for `flushOnSignals(logger, options)` from `logclient/pino`, which flushes loggers that use `pino.transport`.',
  },
  {
    title: 'LogTransport',
    of: ['transports/winston/index.ts', 'LogTransportOptions'],
    beside: INGESTER,
    intro:
      "`new LogTransport(options)` from `logclient/winston` accepts the ingester options and some of winston's transport options.",
  },
  {
    title: 'LogTransport for LogLayer',
    of: ['transports/loglayer/index.ts', 'LogTransportOptions'],
    beside: INGESTER,
    intro:
      "`new LogTransport(options)` from `logclient/loglayer` accepts the ingester options and LogLayer's transport options.",
  },
  {
    title: 'captureConsole',
    of: ['transports/capture/console/index.ts', 'CaptureConsoleOptions'],
    beside: INGESTER,
    intro:
      '`captureConsole(options)` from `logclient/console` accepts the ingester options. Console output of hooks is printed but not sent.',
  },
  {
    title: 'createLogging',
    of: ['transports/web/next/index.ts', 'NextLoggingOptions'],
    beside: INGESTER,
    intro:
      '`createLogging(options)` from `logclient/next` accepts the ingester options and those below. See [Next.js](nextjs.md).',
  },
  {
    title: 'createIngestHandler',
    of: ['transports/web/ingest-handler/index.ts', 'IngestHandlerOptions'],
    beside: INGESTER,
    intro:
      '`createIngestHandler(options)` from `logclient/ingest-handler` accepts the ingester options. See [Logs from the browser](browser.md).',
  },
  {
    title: 'createLogger',
    of: ['transports/web/browser/logger.ts', 'LoggerOptions'],
    intro: 'Options for `createLogger(options)` from `logclient/browser`.',
  },
  "## Hook arguments and stats\n\nA transport's `drop`, `warn`, `recovered` and `stats` events pass the same objects.",
  {
    title: 'onDrop',
    of: ['src/ingest/report/delivery-event.ts', 'DroppedRecords'],
    isRecord: true,
    intro: 'If a worker delivers the records, `events` is not set.',
  },
  {
    title: 'onWarning',
    of: ['src/ingest/report/warning.ts', 'Warning'],
    isRecord: true,
    intro: '[Troubleshooting](troubleshooting.md) lists the messages.',
  },
  {
    title: 'onRecovered',
    of: ['src/ingest/report/delivery-event.ts', 'Recovery'],
    isRecord: true,
    intro: '',
  },
  {
    title: 'stats',
    of: ['src/ingest/report/ingester-stats.ts', 'IngesterStats'],
    isRecord: true,
    intro: 'Members of the `stats` property of an ingester or transport.',
  },
  {
    title: 'handler.stats',
    of: ['transports/web/ingest-handler/ingest-handler.ts', 'IngestHandlerStats'],
    isRecord: true,
    intro: 'Members of the `stats` property of a handler from `createIngestHandler`.',
  },
  {
    title: 'log.stats',
    of: ['transports/web/browser/delivery.ts', 'LoggerStats'],
    isRecord: true,
    intro: 'Members of the `stats` property of a logger from `logclient/browser`.',
  },
  '## The client',
  { title: 'LogClient', of: ['src/client/client-options.ts', 'LogClientOptions'], intro: '' },
  {
    title: 'auth',
    of: ['src/core/http/falcon/client-credentials.ts', 'ClientCredentials'],
    intro: 'Members of the `auth` option of `LogClient`. See [Next-Gen SIEM](next-gen-siem.md).',
  },
  {
    title: 'LogIngestClient',
    of: ['src/client/client-options.ts', 'LogIngestClientOptions'],
    beside: ['src/core/http/node/connection-options.ts', 'ConnectionOptions'],
    intro:
      'Also accepts `agent`, `baseUrl`, `ca`, `clientName`, `fetch`, `headers`, `proxy` and `timeoutMs`, like `LogClient`.',
  },
  { title: 'Every call', of: CALL, intro: 'Every method of a client also accepts these options.' },
  '## Queries',
  { title: 'createQueryJob, streamingQuery', of: QUERY, beside: CALL, intro: AS_ON_EVERY_CALL },
  {
    title: 'streamingQuery',
    of: ['src/client/query/streaming-query.ts', 'StreamingQueryOptions'],
    beside: QUERY,
    intro: 'Also accepts the [options of `createQueryJob`](#createqueryjob-streamingquery).',
  },
  {
    title: 'query',
    of: ['src/client/query/run-query.ts', 'RunQueryOptions'],
    beside: QUERY,
    intro: 'Also accepts the [options of `createQueryJob`](#createqueryjob-streamingquery), except `isLive`.',
  },
  {
    title: 'queryJob',
    of: ['src/client/query/run-query.ts', 'QueryJobOptions'],
    intro: 'Options of `queryJob(id, options)`, which sends nothing.',
  },
  {
    title: 'poll, pollUntilDone',
    of: ['src/client/query/poll-request.ts', 'PollOptions'],
    beside: CALL,
    intro: `Options for these methods of a query job. ${AS_ON_EVERY_CALL}`,
  },
  '## Tails',
  {
    title: 'tail',
    of: ['src/client/tail/tail-options.ts', 'TailOptions'],
    beside: LIVE,
    intro: 'Also accepts the [options of `watch`](#watch).',
  },
  { title: 'watch', of: LIVE, beside: CALL, intro: AS_ON_EVERY_CALL },
  {
    title: 'waitFor',
    of: ['src/client/tail/wait-for.ts', 'WaitForOptions'],
    beside: LIVE,
    intro: 'Also accepts the [options of `watch`](#watch), but `timeoutMs` has a different meaning.',
  },
  { title: 'toReadable', of: ['src/client/to-readable.ts', 'ToReadableOptions'], intro: '' },
  '## Direct ingest, files and maintenance\n\nAll of these methods also accept the [options for every call](#every-call).',
  ...calls([
    ['ingestMessages', 'ingest-calls', 'IngestMessagesOptions'],
    ['createFile', 'resource', 'CreateOptions'],
    ['getFile', 'files', 'GetFileOptions'],
    ['getFileContent', 'file-contents', 'GetFileContentOptions'],
    ['addFileContents', 'file-contents', 'AddFileContentsOptions'],
    ['removeFileContents', 'file-contents', 'RowWindowOptions'],
    ['createRepository', 'repositories', 'CreateRepositoryOptions'],
    ['updateRetention', 'repositories', 'UpdateRetentionOptions'],
    ['redactEvents', 'repositories', 'RedactEventsOptions'],
    ['createView', 'search-domains', 'CreateViewOptions'],
    ['deleteSearchDomain', 'search-domains', 'DeleteSearchDomainOptions'],
    ['addIngestToken', 'ingest-tokens', 'AddIngestTokenOptions'],
    ['createParser', 'parsers', 'CreateParserOptions'],
    ['testParser', 'parsers', 'TestParserOptions'],
    ['updateParser', 'parsers', 'UpdateParserOptions'],
    ['createSavedQuery', 'saved-queries', 'CreateSavedQueryOptions'],
    ['updateSavedQuery', 'saved-queries', 'UpdateSavedQueryOptions'],
    ['createUser', 'users', 'CreateUserOptions'],
    ['updateUser', 'users', 'UpdateUserOptions'],
    ['createOrganization', 'organizations', 'CreateOrganizationOptions'],
    ['validateQuery', 'query-validation', 'ValidateQueryOptions'],
  ]),
  {
    title: 'callRest, callPath',
    of: ['src/core/http/http-caller.ts', 'RestCallOptions'],
    beside: CALL,
    intro: '',
  },
  {
    title: 'callGraphql',
    of: ['src/core/http/http-caller.ts', 'GraphqlCallOptions'],
    beside: CALL,
    intro: '',
  },
  '## The local server',
  {
    title: 'startLocalServer',
    of: ['src/server/local-server-options.ts', 'LocalServerOptions'],
    intro: '[Local server](local-server.md) describes the server and the flags of `logclient serve`.',
  },
  {
    title: 'ngsiem',
    of: ['src/server/ngsiem/ngsiem-options.ts', 'NgsiemOptions'],
    intro:
      "Members of the `ngsiem` option. The options `repository`, `repositories`, `userToken` and `ingestToken` don't apply to such a server.",
  },
  {
    title: 'referenceData',
    of: ['src/server/reference-data-options.ts', 'ReferenceDataOptions'],
    intro: 'Members of the `referenceData` option.',
  },
  {
    title: 'faults.add',
    of: ['src/server/faults/fault.ts', 'Fault'],
    intro:
      '`server.faults.add(fault)` makes requests fail or slows them down. Durations are measured in real time, independently of `server.clock`.',
  },
  { title: 'faults.closePort', of: ['src/server/faults/fault.ts', 'ClosePortOptions'], intro: '' },
  '## Queries over lines',
  {
    title: 'LineQuery',
    of: ['src/server/line-query/line-query-options.ts', 'LineQueryOptions'],
    intro: 'Options for `new LineQuery(query, options)` from `logclient/line-query`.',
  },
  '## The query language',
  {
    title: 'parse',
    of: ['src/language/parse.ts', 'ParseOptions'],
    intro: 'Options for `parse(query, options)` from `logclient/query-language`.',
  },
  {
    title: 'check and fixQuery',
    of: ['src/language/diagnostics/check.ts', 'CheckOptions'],
    intro:
      'Options for `check(query, options)` and `fixQuery(query, options)` from `logclient/query-language`.',
  },
  {
    title: 'format',
    of: ['src/language/format/format.ts', 'FormatOptions'],
    intro: 'Options for `format(query, options)` from `logclient/query-language`.',
  },
  {
    title: 'logclient/valid-query',
    of: ['src/tools/eslint/valid-query.ts', 'ValidQueryOptions'],
    intro: 'Options of the rule `logclient/valid-query` from `logclient/eslint`.',
  },
  '## Tests\n\nSee [Testing](testing.md).',
  { title: 'startLogTest', of: ['src/testing/log-test-options.ts', 'LogTestOptions'], intro: '' },
  { title: 'configureLogTests', of: ['src/testing/report/test-logs.ts', 'LogTestSettings'], intro: '' },
  {
    title: 'writeHtmlReport',
    of: ['src/testing/report/html-report.ts', 'HtmlReportOptions'],
    intro: 'Options for `writeHtmlReport(options)`.',
  },
  {
    title: 'capture',
    of: ['src/testing/loggers/logger-capture.ts', 'CaptureOptions'],
    intro:
      'Options for `logs.capture(logger, options)` and `captureLogs(logger, options)`. `captureLogs` also accepts the options of `startLogTest`.',
  },
  {
    title: 'Matchers and assertions',
    of: ['src/testing/log-source.ts', 'AssertionOptions'],
    intro: '',
  },
  {
    title: 'toHaveNoSecrets',
    of: ['src/testing/assertions/has-no-secrets.ts', 'NoSecretsOptions'],
    intro: 'Options for `toHaveNoSecrets(options)` and `assertNoSecrets(logs, options)`.',
  },
  {
    title: 'toEventuallyHaveLogged',
    of: ['src/testing/assertions/log-assertion.ts', 'EventualAssertionOptions'],
    beside: ['src/testing/log-source.ts', 'AssertionOptions'],
    intro: 'Also accepts the [options for matchers and assertions](#matchers-and-assertions).',
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
