import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/client/log-client.ts';
import { LogHTTPException } from '../../src/core/errors.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { clientMethods } from '../helpers/client-methods.ts';
import { collect } from '../helpers/collect.ts';
import { sendJson, sendText, startService } from '../helpers/http-service.ts';

// One rule: what a call needs and doesn't exist is LOG_NOT_FOUND, with the status of the response.

let server: LocalServer;
let missing: LogClient;
let client: LogClient;
beforeAll(async () => {
  server = await startLocalServer();
  const { url: baseUrl, repository, userToken } = server;
  client = new LogClient({ baseUrl, repository, userToken });
  missing = new LogClient({ baseUrl, repository: 'nope', userToken });
  await client.addIngestToken('web');
  await client.createView('errors', [{ repositoryName: repository, filter: 'level=error' }]);
});
afterAll(() => server.close());

type Call = (client: LogClient) => Promise<unknown>;
type Row = readonly [name: string, call: Call];

const REST = 404;
/** A response to a GraphQL request has status 200, whatever it says. */
const GRAPHQL = 200;

async function failure(call: Promise<unknown>): Promise<LogHTTPException> {
  const error = await call.then(
    (value) => new Error(`It returned ${JSON.stringify(value)}.`),
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(LogHTTPException);
  return error as LogHTTPException;
}

const TEMPLATE = 'name: a\nscript: parseJson()\n';

const IN_REPOSITORY: readonly (readonly [...Row, status: number])[] = [
  ['createQueryJob', (c) => c.createQueryJob('*'), REST],
  ['query', (c) => c.query('*'), REST],
  ['streamingQuery', (c) => collect(c.streamingQuery('*')), REST],
  ['tail', (c) => collect(c.tail('*')), REST],
  ['watch', (c) => collect(c.watch('*')), REST],
  ['waitFor', (c) => c.waitFor('*'), REST],
  ['ingestJsonData', (c) => c.ingestJsonData([]), REST],
  ['ingestMessages', (c) => c.ingestMessages(['a']), REST],
  ['uploadFile', (c) => c.uploadFile({ name: 'a.csv', content: 'a\n' }), REST],
  ['getFile', (c) => c.getFile('a.csv'), REST],
  ['listFiles', (c) => c.listFiles(), GRAPHQL],
  ['createFile', (c) => c.createFile('a.csv'), GRAPHQL],
  ['createFile that keeps', (c) => c.createFile('a.csv', { ifExists: 'keep' }), GRAPHQL],
  ['deleteFile', (c) => c.deleteFile('a.csv'), GRAPHQL],
  ['getFileContent', (c) => c.getFileContent('a.csv'), GRAPHQL],
  ['addFileContents', (c) => c.addFileContents('a.csv', ['a'], [['1']]), GRAPHQL],
  ['removeFileContents', (c) => c.removeFileContents('a.csv'), GRAPHQL],
  ['listSavedQueries', (c) => c.listSavedQueries(), GRAPHQL],
  ['getSavedQuery', (c) => c.getSavedQuery('a'), GRAPHQL],
  ['createSavedQuery', (c) => c.createSavedQuery('a', '*'), GRAPHQL],
  ['updateSavedQuery', (c) => c.updateSavedQuery('a', { name: 'b' }), GRAPHQL],
  ['deleteSavedQuery', (c) => c.deleteSavedQuery('a'), GRAPHQL],
  ['redactEvents', (c) => c.redactEvents('*', { start: 0, end: 1 }), GRAPHQL],
  ['listIngestTokens', (c) => c.listIngestTokens(), GRAPHQL],
  ['addIngestToken', (c) => c.addIngestToken('a'), GRAPHQL],
  ['assignParserToIngestToken', (c) => c.assignParserToIngestToken('a', 'kv'), GRAPHQL],
  ['unassignParserFromIngestToken', (c) => c.unassignParserFromIngestToken('a'), GRAPHQL],
  ['removeIngestToken', (c) => c.removeIngestToken('a'), GRAPHQL],
  ['listParsers', (c) => c.listParsers(), GRAPHQL],
  ['getParser', (c) => c.getParser('a'), GRAPHQL],
  ['createParser', (c) => c.createParser('a', 'parseJson()'), GRAPHQL],
  ['createParserFromTemplate', (c) => c.createParserFromTemplate('a', TEMPLATE), GRAPHQL],
  ['testParser', (c) => c.testParser('parseJson()', []), GRAPHQL],
  ['updateParser', (c) => c.updateParser('a', { script: 'parseJson()' }), GRAPHQL],
  ['deleteParser', (c) => c.deleteParser('a'), GRAPHQL],
];

describe('A repository that does not exist', () => {
  it.each(IN_REPOSITORY)('is LOG_NOT_FOUND in %s()', async (_, call, statusCode) => {
    const error = await failure(call(missing));
    expect(error).toMatchObject({ code: 'LOG_NOT_FOUND', statusCode });
    expect(error.method).not.toBe('');
    expect(error.path).toMatch(statusCode === GRAPHQL ? /^\/graphql$/ : /^\/api\/v1\/repositories\/nope\//);
  });
});

const VIEW = [{ repositoryName: 'nope', filter: '*' }];

const NAMED: readonly (readonly [...Row, status: number])[] = [
  ['getFile', (c) => c.getFile('nope.csv'), REST],
  ['getFileContent', (c) => c.getFileContent('nope.csv'), GRAPHQL],
  ['addFileContents', (c) => c.addFileContents('nope.csv', ['a'], [['1']]), GRAPHQL],
  ['removeFileContents', (c) => c.removeFileContents('nope.csv'), GRAPHQL],
  ['updateSavedQuery', (c) => c.updateSavedQuery('nope', { name: 'b' }), GRAPHQL],
  ['assignParserToIngestToken', (c) => c.assignParserToIngestToken('nope', 'kv'), GRAPHQL],
  ['assignParserToIngestToken (parser)', (c) => c.assignParserToIngestToken('web', 'nope'), GRAPHQL],
  ['unassignParserFromIngestToken', (c) => c.unassignParserFromIngestToken('nope'), GRAPHQL],
  ['addIngestToken (parser)', (c) => c.addIngestToken('new', { parser: 'nope' }), GRAPHQL],
  ['updateParser', (c) => c.updateParser('nope', { script: 'parseJson()' }), GRAPHQL],
  ['updateRetention', (c) => c.updateRetention('nope', { timeBasedRetention: 1 }), GRAPHQL],
  ['updateDescription', (c) => c.updateDescription('nope', 'a'), GRAPHQL],
  ['createView (repository)', (c) => c.createView('other', VIEW), GRAPHQL],
  ['updateView', (c) => c.updateView('nope', VIEW), GRAPHQL],
  ['updateView (repository)', (c) => c.updateView('errors', VIEW), GRAPHQL],
  ['updateUser', (c) => c.updateUser('nope', { fullName: 'a' }), GRAPHQL],
  ['deleteUserById', (c) => c.deleteUserById('nope'), REST],
];

describe('Anything else that a call needs and that does not exist', () => {
  it.each(NAMED)('is LOG_NOT_FOUND in %s()', async (_, call, statusCode) => {
    expect(await failure(call(client))).toMatchObject({ code: 'LOG_NOT_FOUND', statusCode });
  });
});

const RESULTS: readonly (readonly [...Row, result: unknown])[] = [
  ['getUser', (c) => c.getUser('nope'), undefined],
  ['getUserByEmail', (c) => c.getUserByEmail('nope@example.com'), undefined],
  ['getSavedQuery', (c) => c.getSavedQuery('nope'), undefined],
  ['getParser', (c) => c.getParser('nope'), undefined],
  ['getRepository', (c) => c.getRepository('nope'), undefined],
  ['getSearchDomain', (c) => c.getSearchDomain('nope'), undefined],
  ['deleteUserByEmail', (c) => c.deleteUserByEmail('nope@example.com'), undefined],
  ['deleteFile', (c) => c.deleteFile('nope.csv'), false],
  ['deleteSavedQuery', (c) => c.deleteSavedQuery('nope'), false],
  ['deleteParser', (c) => c.deleteParser('nope'), false],
  ['deleteSearchDomain', (c) => c.deleteSearchDomain('nope'), false],
  ['removeIngestToken', (c) => c.removeIngestToken('nope'), false],
];

describe('Something that does not exist is a result', () => {
  it.each(RESULTS)('of %s()', async (_, call, result) => {
    expect(await call(client)).toBe(result);
  });
});

describe('On other editions of the service', () => {
  it.each([
    ['listFiles', (c: LogClient) => c.listFiles()],
    ['listSavedQueries', (c: LogClient) => c.listSavedQueries()],
    ['listParsers', (c: LogClient) => c.listParsers()],
    ['getSavedQuery', (c: LogClient) => c.getSavedQuery('a')],
  ])('null instead of a repository is LOG_NOT_FOUND in %s()', async (_, call) => {
    const { url } = await startService((_, response) =>
      sendJson(response, { data: { repository: null, searchDomain: null } }),
    );
    const other = new LogClient({ baseUrl: `${url}/prefix`, repository: 'nope', userToken: 'a' });
    const error = await failure(call(other));
    expect(error).toMatchObject({ code: 'LOG_NOT_FOUND', statusCode: 200, path: '/prefix/graphql' });
    expect(error.message).toBe('There is no repository or view "nope", or the token has no access to it.');
  });

  it('redactEvents() on a view names its repositories if the service says only that it is missing', async () => {
    const error = { message: 'Could not find that', state: { name: 'not found' } };
    const connections = [{ repository: { name: 'orders' }, filter: '*' }];
    const searchDomain = { name: 'shop', kind: 'View', connections };
    const { url } = await startService(({ text }, response) =>
      sendJson(response, text.includes('mutation') ? { errors: [error] } : { data: { searchDomain } }),
    );
    const view = new LogClient({ baseUrl: url, repository: 'shop', userToken: 'a' });
    expect(await failure(view.redactEvents('*', { start: 0, end: 1 }))).toMatchObject({
      message: '"shop" is a view. Use one of its repositories: "orders".',
      code: 'LOG_NOT_FOUND',
    });
  });

  const NOBODY = { data: null, errors: [{ message: 'No user', state: { id: 'not found' } }] };

  it.each([
    [403, 200],
    [404, 404],
  ])('a user that GraphQL does not find is LOG_NOT_FOUND if REST responds %i', async (rest, statusCode) => {
    const { url } = await startService((request, response) =>
      request.path === '/graphql' ? sendJson(response, NOBODY) : sendText(response, rest, 'no'),
    );
    const other = new LogClient({ baseUrl: url, repository: 'a', userToken: 'a' });
    expect(await failure(other.deleteUserById('nope'))).toMatchObject({ code: 'LOG_NOT_FOUND', statusCode });
  });

  const NO_ROUTE = { detail: 'no such route' };

  it('a status of 404 for GraphQL does not replace the 403 of REST: a proxy may not pass it on', async () => {
    const { url } = await startService((request, response) =>
      sendJson(response, NO_ROUTE, request.path === '/graphql' ? 404 : 403),
    );
    const other = new LogClient({ baseUrl: url, repository: 'a', userToken: 'a' });
    expect(await failure(other.getUsers())).toMatchObject({ code: 'LOG_HTTP', statusCode: 403 });
    expect(await failure(other.deleteUserById('nope'))).toMatchObject({ code: 'LOG_HTTP', statusCode: 403 });
  });

  it('a status of 404 for GraphQL does not mean that a thing does not exist', async () => {
    let requests = 0;
    const { url } = await startService((_, response) => {
      if (++requests === 1) sendJson(response, NO_ROUTE, 404);
      else sendJson(response, { data: { searchDomain: { savedQueries: [] } } });
    });
    const other = new LogClient({ baseUrl: url, repository: 'a', userToken: 'a' });
    expect(await failure(other.deleteSavedQuery('a'))).toMatchObject({ statusCode: 404 });
    expect(requests).toBe(1);
  });
});

it('A query job that does not exist is LOG_JOB_EXPIRED, and its deletion succeeds', async () => {
  await expect(client.queryJob('nope').poll()).rejects.toMatchObject({ code: 'LOG_JOB_EXPIRED' });
  await client.queryJob('nope').delete();
});

it.each(clientMethods())('%s() rejects an option that it does not know', async (name) => {
  const call = Reflect.get(client, name) as (...args: unknown[]) => unknown;
  const messages: string[] = [];
  for (const values of [[], ['x'], ['x', 1], ['x', 'x'], ['x', 'x', 'x']]) {
    const calling = (async () => call.apply(client, [...values, { typo: 1 }]))();
    messages.push(await calling.then(String, (error: Error) => error.message));
  }
  expect(messages.join()).toContain('has no option "typo"');
});

it.each<[string, () => Promise<unknown>]>([
  ['callRest', () => client.webCaller.callRest('get', 'status', { typo: 1 } as never)],
  ['callPath', () => client.webCaller.callPath('get', 'x', { typo: 1 } as never)],
  ['callGraphql', () => client.webCaller.callGraphql({ query: '{ meta { version } }', typo: 1 } as never)],
])('%s() of a caller does so, too', async (owner, call) => {
  await expect(call()).rejects.toThrow(`${owner} has no option "typo"`);
});

it('The tables have every method that names something', () => {
  const covered = new Set([...IN_REPOSITORY, ...NAMED, ...RESULTS].map(([name]) => name.split(' ')[0]));
  const others = clientMethods().filter((name) => !covered.has(name));
  // These create something, list what there is, or need nothing.
  expect(others.sort()).toEqual([
    'createOrganization',
    'createRepository',
    'createUser',
    'getCurrentUser',
    'getOrganization',
    'getStatus',
    'getUsers',
    'listOrganizations',
    'listRepositories',
    'listSearchDomains',
    'queryJob',
    'validateQuery',
  ]);
});
