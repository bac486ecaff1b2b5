import { describe, expect, it, onTestFinished } from 'vitest';
import { problemList, problemsOf } from '../../src/core/option-checks.ts';
import { Ingester, LogClient, LogOptionsException } from '../../src/index.ts';
import { resolveLocalServerOptions } from '../../src/server/local-server-options.ts';
import { LogTransport as LogLayerTransport } from '../../transports/loglayer/index.ts';
import { createPinoStream, createPinoTransport, pinoTransport } from '../../transports/pino/index.ts';
import { createIngestHandler } from '../../transports/web/ingest-handler/index.ts';
import { LogTransport as WinstonTransport } from '../../transports/winston/index.ts';
import { lawCases } from '../helpers/laws.ts';

type Options = Readonly<Record<string, unknown>>;

/** Invalid values by option. The value of `unknown` stands for an option that doesn't exist. */
const CONNECTION: Options = {
  unknown: 1,
  baseUrl: 'logscale.example.com',
  agent: 5,
  fetch: 5,
  proxy: 'ftp://proxy.example.com',
  ca: 'ca.pem',
  clientName: '\n',
  headers: 'x',
};

const INGESTER: Options = {
  ...CONNECTION,
  format: 'xml',
  ingestToken: 'a b',
  tags: ['a'],
  tagFields: 'level',
  redact: { keys: 'ssn', pattern: {} },
  maxBatchRecords: 0,
  maxBatchBytes: 1.5,
  flushIntervalMs: -1,
  maxQueueBytes: '8 MB',
  maxEventBytes: 1,
  maxRequestsInFlight: 65,
  batchIds: 'yes',
  overflow: 'drop',
  spool: { maxBytes: 0, directory: '' },
  compression: 'brotli',
  requestTimeoutMs: 0,
  minRetryDelayMs: 0,
  maxRetryDelayMs: 0,
  closeTimeoutMs: 10_000,
  onDrop: 1,
  onWarning: 1,
  onRecovered: 1,
};

const HANDLER: Options = {
  allowedOrigins: 'shop.example',
  maxBodyBytes: 0,
  maxRequestsPerMinute: 0,
  maxTotalRequestsPerMinute: 0,
  clientAddress: '127.0.0.1',
  allowedFields: 'name',
};

const SERVER: Options = {
  unknown: 1,
  port: 70_000,
  host: '',
  allowedHosts: 'shop.example',
  listen: 1,
  ngsiem: { scopes: 'read', region: '' },
  repository: 'a/b',
  repositories: 'shop',
  retentionDays: 0,
  userToken: 'a b',
  ingestToken: 'c d',
  maxEvents: 0,
  dataDir: '',
  now: -1,
  keepAliveIntervalMs: 0,
  referenceData: { asn: '', reverseDns: 1 },
  onRejection: 1,
  onRequest: 1,
  onWarning: 1,
};

const CALLERS: readonly (readonly [string, (options: object) => unknown, Options])[] = [
  ['Ingester', (options) => new Ingester(options), { ...INGESTER, flushOnSignals: ['SIGKILL'] }],
  ['pino.transport', pinoTransport, { ...INGESTER, flushOnSignals: true }],
  ['createPinoTransport', createPinoTransport, { ...INGESTER, flushOnSignals: 'all', level: 'info' }],
  ['createPinoStream', createPinoStream, { ...INGESTER, flushOnSignals: 'all', level: 'info' }],
  ['the winston transport', (options) => new WinstonTransport(options), { ...INGESTER, worker: 'no' }],
  [
    'the LogLayer transport',
    (options) => new LogLayerTransport(options),
    { ...INGESTER, worker: 'no', enabled: 1, level: 'all' },
  ],
  ['createIngestHandler', createIngestHandler, { ...HANDLER, maxBatchBytes: 0, tags: 'a' }],
  [
    'LogClient',
    (options) => new LogClient(options),
    { ...CONNECTION, repository: '', userToken: 'a b', timeoutMs: 0 },
  ],
  [
    'LogClient for Next-Gen SIEM',
    (options) => new LogClient({ repository: 'search-all', ...options }),
    { ...CONNECTION, repository: '', auth: { clientId: '', tokenUrl: 'x', secret: 'y' }, timeoutMs: 0 },
  ],
  ['startLocalServer', resolveLocalServerOptions, SERVER],
];

async function errorOf(call: () => unknown): Promise<LogOptionsException> {
  try {
    await call();
  } catch (error) {
    if (error instanceof LogOptionsException) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const messageOf = async (call: () => unknown): Promise<string> => (await errorOf(call)).message;

describe.each(CALLERS)('Invalid options of %s', (_, call, invalid) => {
  // Without a token, that would be a problem, too.
  const base = 'tags' in invalid ? { ingestToken: 't' } : {};

  it('are named in one exception, for every pair of them', async () => {
    const names = Object.keys(invalid);
    const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
    const missing: string[] = [];
    for (const [one, other] of lawCases(pairs, 2 * names.length)) {
      const pair = { [one]: invalid[one], [other]: invalid[other] };
      const message = await messageOf(() => call({ ...base, ...pair }));
      if (!message.includes(one) || !message.includes(other)) missing.push(`${one}, ${other}: ${message}`);
    }
    expect(names.length).toBeGreaterThan(7);
    expect(missing).toEqual([]);
  });

  it('are reported with the line of the program that passed them', async () => {
    const { stackTraceLimit } = Error;
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    // As in Node; vitest raises it.
    Error.stackTraceLimit = 10;
    const { stack } = await errorOf(() =>
      call({ ...base, ...Object.fromEntries([Object.entries(invalid)[0]!]) }),
    );
    expect(stack).toContain(import.meta.filename);
    expect(Error.stackTraceLimit).toBe(10);
  });

  it('are listed with a line for each, if all options are invalid', async () => {
    const message = await messageOf(() => call(invalid));
    const [heading, ...problems] = message.split('\n');
    expect(heading).toBe(`${problems.length} options are invalid:`);
    expect(problems.filter((problem) => !problem.startsWith('- '))).toEqual([]);
    expect(new Set(problems).size).toBe(problems.length);
    expect(problems.length).toBeGreaterThanOrEqual(Object.keys(invalid).length - 1);
  });
});

/** Values that no option has. */
const HOSTILE: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  'a Promise': () => Promise.resolve({ keys: ['ssn'], service: 'shop' }),
  'a Date': () => new Date(),
  'an instance': () => new (class Settings {})(),
  'an array with a hole': () => new Array(1),
  'a throwing Proxy': () => new Proxy({}, { get: () => BigInt('x'), has: () => BigInt('x') > 0 }),
  'a revoked Proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'a class': () => class {},
};

describe.each(CALLERS)('%s', (_, call, invalid) => {
  it('refuses each hostile value of each option by name, and in place of all options', async () => {
    const wrong: string[] = [];
    const names = Object.keys(invalid).filter((name) => name !== 'unknown');
    for (const [kind, create] of Object.entries(HOSTILE)) {
      for (const name of lawCases(names, 12)) {
        const message = await messageOf(() => call({ [name]: create() }));
        if (!message.includes(name)) wrong.push(`${name}, ${kind}: ${message}`);
      }
      if ('auth' in invalid) continue; // Its caller spreads them.
      const message = await messageOf(() => call(create() as object));
      if (!message.includes('the options must be an object')) wrong.push(`${kind}: ${message}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('Problems of options', () => {
  it('are a sentence if there is one, and otherwise a list', () => {
    expect(problemList(['a.'])).toBe('a.');
    expect(problemList(['a.', 'a.'])).toBe('a.');
    expect(problemList(['a.', 'b.'])).toBe('2 options are invalid:\n- a.\n- b.');
    expect(problemsOf(new LogOptionsException('2 options are invalid:\n- a.\n- b.'))).toEqual(['a.', 'b.']);
    expect(problemsOf(new LogOptionsException('a.'))).toEqual(['a.']);
  });

  it('name each part of an option that is an object', async () => {
    const spool = { directory: '', maxBytes: 0, fsync: 'often', segmentBytes: 0, folder: 'x' };
    const message = await messageOf(() => new Ingester({ ingestToken: 't', spool } as object));
    expect(problemsOf(new LogOptionsException(message))).toEqual([
      'Ingester "spool" has no option "folder". Known options: directory, maxBytes, fsync, segmentBytes.',
      'Ingester "spool": "directory" must be a non-empty string (got "").',
      'Ingester "spool": "maxBytes" must be a whole number of at least 1 (got 0).',
      'Ingester "spool": "fsync" must be one of never, interval, always (got "often").',
      'Ingester "spool": "segmentBytes" must be a whole number of at least 1 and at most 1073741824 (got 0).',
    ]);
  });

  it('include every option that is unknown', async () => {
    const message = await messageOf(() => new LogClient({ token: 'x', timeout: 5 } as object));
    expect(message).toContain('LogClient has no option "token". Did you mean "userToken"?');
    expect(message).toContain('LogClient has no option "timeout". Did you mean "timeoutMs"?');
  });
});
