import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogException, LogOptionsException, LogQueryException } from '../../src/core/errors.ts';
import { LogClient, type LogClientOptions } from '../../src/index.ts';
import { CLIENT_ID, CLIENT_SECRET, startFalconService } from '../helpers/falcon-service.ts';
import { sendJson } from '../helpers/http-service.ts';

const AUTH = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };

beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (/^(LOGSCALE_|HUMIO_|FALCON_)/.test(name)) vi.stubEnv(name, '');
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function setEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

const FALCON = { FALCON_CLIENT_ID: CLIENT_ID, FALCON_CLIENT_SECRET: CLIENT_SECRET };

describe('new LogClient()', () => {
  const kindOf = (options: LogClientOptions) => {
    const { service, baseUrl } = new LogClient({ repository: 'search-all', ...options });
    return `${service} ${baseUrl}`;
  };

  it('derives the service from the credentials in the options', () => {
    expect(kindOf({ userToken: 'a-token', baseUrl: 'https://l.example.com' })).toBe(
      'logscale https://l.example.com/',
    );
    expect(kindOf({ auth: AUTH })).toBe('ngsiem https://api.crowdstrike.com/humio/');
  });

  it.each([
    ['us-1', 'https://api.crowdstrike.com/humio/'],
    ['us-2', 'https://api.us-2.crowdstrike.com/humio/'],
    ['eu-1', 'https://api.eu-1.crowdstrike.com/humio/'],
    ['us-gov-1', 'https://api.laggar.gcw.crowdstrike.com/humio/'],
  ] as const)('uses the base URL of the cloud %s', (cloud, address) => {
    expect(kindOf({ auth: AUTH, cloud })).toBe(`ngsiem ${address}`);
    setEnvironment({ ...FALCON, FALCON_CLOUD: cloud.toUpperCase() });
    expect(kindOf({})).toBe(`ngsiem ${address}`);
  });

  it.each([
    ['http://localhost:3000', 'http://localhost:3000/humio/'],
    ['http://localhost:3000/', 'http://localhost:3000/humio/'],
    ['https://gateway.example.com/falcon', 'https://gateway.example.com/falcon/'],
    ['https://api.us-2.crowdstrike.com/humio', 'https://api.us-2.crowdstrike.com/humio/'],
  ])('appends /humio to %s unless the URL has a path', (baseUrl, address) => {
    expect(kindOf({ auth: AUTH, baseUrl })).toBe(`ngsiem ${address}`);
    setEnvironment({ ...FALCON, FALCON_BASE_URL: baseUrl });
    expect(kindOf({})).toBe(`ngsiem ${address}`);
  });

  it('uses the service of the options even if the environment has credentials for the other', () => {
    setEnvironment({ ...FALCON, LOGSCALE_TOKEN: 'a-token', LOGSCALE_URL: 'https://l.example.com' });
    expect(kindOf({ auth: {} })).toBe('ngsiem https://api.crowdstrike.com/humio/');
    expect(kindOf({ userToken: 'other' })).toBe('logscale https://l.example.com/');
  });

  it.each<[string, LogClientOptions, Record<string, string>, string]>([
    [
      'two kinds of credentials',
      { auth: AUTH, userToken: 't' },
      {},
      '"auth" and "userToken" can\'t be combined',
    ],
    [
      'two addresses',
      { auth: AUTH, cloud: 'us-1', baseUrl: 'http://x' },
      {},
      '"cloud" and "baseUrl" can\'t be combined',
    ],
    ['a cloud for LogScale', { cloud: 'us-1', userToken: 't' }, {}, '"cloud" needs "auth"'],
    [
      'an unknown cloud',
      { auth: AUTH, cloud: 'us-9' as never },
      {},
      '"cloud" must be one of us-1, us-2, eu-1, us-gov-1 (got "us-9")',
    ],
    [
      'no secret',
      { auth: { clientId: CLIENT_ID } },
      {},
      '"clientSecret" is missing. Pass it as an option or set FALCON_CLIENT_SECRET',
    ],
    [
      'half of the variables',
      {},
      { FALCON_CLIENT_SECRET: CLIENT_SECRET },
      '"clientId" is missing. Pass it as an option or set FALCON_CLIENT_ID',
    ],
    [
      'an unknown member',
      { auth: { ...AUTH, memberCID: 'x' } as never },
      {},
      '"auth" has no option "memberCID". Did you mean "memberCid"?',
    ],
    [
      'a tokenUrl that is no URL',
      { auth: { ...AUTH, tokenUrl: 'x' } },
      {},
      '"tokenUrl" does not start with http:// or https://',
    ],
    [
      'two kinds of variables',
      {},
      { ...FALCON, HUMIO_TOKEN: 't' },
      'the environment has FALCON_CLIENT_ID for Next-Gen SIEM and HUMIO_TOKEN for LogScale',
    ],
    [
      'two variables for the address',
      {},
      { ...FALCON, FALCON_CLOUD: 'us-1', FALCON_BASE_URL: 'http://x' },
      'FALCON_CLOUD and FALCON_BASE_URL are both set',
    ],
    [
      'an unknown cloud in the environment',
      {},
      { ...FALCON, FALCON_CLOUD: 'mars' },
      'FALCON_CLOUD must be one of',
    ],
  ])('throws a LogOptionsException for %s', (_name, options, environment, message) => {
    setEnvironment(environment);
    const open = () => new LogClient({ repository: 'search-all', ...options });
    expect(open).toThrow(LogOptionsException);
    expect(open).toThrow(message);
    expect(open).not.toThrow(CLIENT_SECRET);
  });
});

describe('LogClient on Next-Gen SIEM', () => {
  const MISSING: Record<string, [call: (client: LogClient) => unknown, alternative: string]> = {
    ingestJsonData: [(client) => client.ingestJsonData([]), "format: 'hec'"],
    ingestMessages: [(client) => client.ingestMessages(['line']), "format: 'hec'"],
    validateQuery: [(client) => client.validateQuery('error'), 'parse() of logclient/query-language'],
    getStatus: [(client) => client.getStatus(), 'query() with a short time range'],
    listFiles: [(client) => client.listFiles(), 'the Falcon console'],
    createFile: [(client) => client.createFile('a.csv'), 'uploadFile()'],
    addFileContents: [(client) => client.addFileContents('a.csv', ['a'], [['1']]), 'uploadFile()'],
    removeFileContents: [(client) => client.removeFileContents('a.csv'), 'uploadFile()'],
    getFileContent: [(client) => client.getFileContent('a.csv'), 'getFile()'],
    deleteFile: [(client) => client.deleteFile('a.csv'), 'the Falcon console'],
    getUsers: [(client) => client.getUsers(), 'the Falcon console'],
    deleteUserById: [(client) => client.deleteUserById('x'), 'the Falcon console'],
    listSavedQueries: [(client) => client.listSavedQueries(), 'the Falcon console'],
    listParsers: [(client) => client.listParsers(), 'the Falcon console'],
    listRepositories: [(client) => client.listRepositories(), 'the Falcon console'],
  };

  it.each(Object.keys(MISSING))(
    'rejects %s() before any request and names the alternative',
    async (method) => {
      const service = await startFalconService();
      const client = new LogClient({ baseUrl: service.url, auth: AUTH, repository: 'search-all' });
      const [call, alternative] = MISSING[method]!;
      const error = await Promise.resolve(call(client)).then(
        () => expect.unreachable(),
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(LogException);
      expect(error.code).toBe('LOG_NOT_SUPPORTED');
      expect(error.message).toMatch(
        new RegExp(`^${method}\\(\\) is not available on Next-Gen SIEM\\. Use .* instead\\.$`),
      );
      expect(error.message).toContain(alternative);
      expect(service.requests).toEqual([]);
    },
  );

  it('throws a LogQueryException for a syntax error before any request', async () => {
    const service = await startFalconService();
    const client = new LogClient({ baseUrl: service.url, auth: AUTH, repository: 'search-all' });
    const error = await client.query('count(').then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(LogQueryException);
    expect(error).toMatchObject({
      statusCode: 400,
      method: 'POST',
      path: '/humio/api/v1/repositories/search-all/queryjobs',
      body: expect.stringMatching(/\n```\n1 \| count\([^`]*\n```$/),
    });
    expect(error.message).toMatch(/\(line 1, column \d+\)\n1 \| count\(\n {2}\| +\^$/);
    expect(service.requests).toEqual([]);
  });

  it('warns once per unknown function and sends the query', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const service = await startFalconService();
    const client = new LogClient({ baseUrl: service.url, auth: AUTH, repository: 'search-all' });
    await client.createQueryJob('a=1 | brandNew() | other:fn()');
    await client.createQueryJob('brandNew() | count()');
    expect(emitWarning.mock.calls.map(([message]) => String(message).split(',')[0])).toEqual([
      'The query calls brandNew()',
      'The query calls other:fn()',
    ]);
    expect(service.calls.filter((call) => call.endsWith('/queryjobs'))).toHaveLength(2);
  });

  it('uploads and downloads lookup files below /humio', async () => {
    const service = await startFalconService({
      answer: (request, response) =>
        request.method === 'GET' ? response.end('name,owner\n') : sendJson(response, {}),
    });
    const client = new LogClient({ baseUrl: service.url, auth: AUTH, repository: 'search-all' });
    await client.uploadFile({ name: 'hosts.csv', content: 'name,owner\n' });
    expect(await client.getFile('hosts.csv', { encoding: 'utf-8' })).toBe('name,owner\n');
    expect(service.calls.slice(1)).toEqual([
      'POST /humio/api/v1/repositories/search-all/files',
      'GET /humio/api/v1/repositories/search-all/files/hosts.csv',
    ]);
  });
});
