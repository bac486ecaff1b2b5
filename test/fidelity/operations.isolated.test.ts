import { describe, expect, it } from 'vitest';
import { LogIngestClient } from '../../src/client/ingest-client.ts';
import type { LogClient } from '../../src/client/log-client.ts';
import { lawCases } from '../helpers/laws.ts';
import { CARRIERS, connect, TOKEN } from './carriers.ts';
import { graphql, json, NOTHING, textError } from './replies.ts';
import { askedOf } from './service-schema.ts';
import { jsonOf, type Reply } from './service-script.ts';

/** A call of the client, its request, and its response. */
interface Operation {
  readonly name: string;
  readonly run: (client: LogClient) => Promise<unknown>;
  readonly reply: Reply;
  /** Method and path; of a GraphQL request, its fields. */
  readonly sends: string | Record<string, unknown>;
  readonly body?: unknown;
  readonly gives: unknown;
}

const REST = '/api/v1';
const REPOSITORY = `${REST}/repositories/sandbox`;
const USER = { email: 'a+b@example.com', userID: 'uS3r/1 d', fullName: 'A. B.', isRoot: false };
const FILE = {
  nameAndPath: { name: 'hosts.csv', path: null },
  headers: ['host', 'owner'],
  lines: [['web-7', 'ops']],
  totalLinesCount: 1,
  limit: 200,
  offset: 0,
  filterString: null,
};
const SAVED = {
  id: 'sQ1',
  name: 'errors',
  displayName: 'errors',
  description: null,
  query: { queryString: 'status=5*', start: '24hours', end: 'now', isLive: false },
};
const PARSER = {
  id: 'p1',
  name: 'shop',
  isBuiltIn: false,
  script: 'parseJson()',
  fieldsToTag: ['host'],
  fieldsToBeRemovedBeforeParsing: [],
  testCases: [{ event: { rawString: '{}' }, outputAssertions: [] }],
  yamlTemplate: 'name: shop',
};
const INGEST_TOKEN = { name: 'web', token: 'b7c9e0f1-0000-4000-8000-000000000000', parser: { name: 'shop' } };
const GROUP = {
  tags: { host: 'web-7' },
  events: [
    { timestamp: '2026-02-03T10:00:00.123+01:00', attributes: { http: { status: 503, tries: [1, 2] } } },
    { timestamp: 1_770_109_201_000, timezone: 'Europe/Copenhagen', rawstring: 'up' },
  ],
};
const HOSTILE = 'a") { x } # \\ é 🎉';

const OPERATIONS: readonly Operation[] = [
  {
    name: 'getStatus',
    run: (client) => client.getStatus(),
    reply: json({ status: 'OK', version: '1.189.0--build-1--sha-0', extra: 1 }),
    sends: `GET ${REST}/status`,
    gives: { status: 'OK', version: '1.189.0--build-1--sha-0', extra: 1 },
  },
  {
    name: 'getStatus of a service that is down',
    run: (client) => client.getStatus(),
    reply: json({ status: 'DOWN', version: '1.189.0' }, 503),
    sends: `GET ${REST}/status`,
    gives: { status: 'DOWN', version: '1.189.0' },
  },
  {
    name: 'ingestJsonData',
    run: (client) => client.ingestJsonData([GROUP]),
    reply: json({}),
    sends: `POST ${REPOSITORY}/ingest`,
    body: [GROUP],
    gives: {},
  },
  {
    name: 'ingestMessages',
    run: (client) =>
      client.ingestMessages(['10.0.0.1 - bob'], {
        parser: 'accesslog',
        fields: { '@session': 's-1' },
        tags: { env: 'test' },
      }),
    reply: json({}),
    sends: `POST ${REPOSITORY}/ingest-messages`,
    body: [
      {
        type: 'accesslog',
        fields: { '@session': 's-1' },
        tags: { env: 'test' },
        messages: ['10.0.0.1 - bob'],
      },
    ],
    gives: {},
  },
  {
    name: 'ingestMessages that is answered with nothing',
    run: (client) => client.ingestMessages(['a']),
    reply: textError(200, ''),
    sends: `POST ${REPOSITORY}/ingest-messages`,
    body: [{ messages: ['a'] }],
    gives: {},
  },
  {
    name: 'createQueryJob',
    run: async (client) =>
      (
        await client.createQueryJob('host=?host | count()', {
          start: '2h',
          end: 'now',
          isLive: true,
          timeZone: 'Europe/Copenhagen',
          timeZoneOffsetMinutes: 60,
          arguments: { host: 'web-7' },
          rawData: { showQueryEventDistribution: true },
        })
      ).id,
    reply: json({ id: '7-Qm3kZx0aB9cD1eF2gH3iJ4kL', queryOnView: 'status=5*', hashedQueryOnView: 'ab12' }),
    sends: `POST ${REPOSITORY}/queryjobs`,
    body: {
      queryString: 'host=?host | count()',
      start: '2h',
      end: 'now',
      isLive: true,
      timeZone: 'Europe/Copenhagen',
      timeZoneOffsetMinutes: 60,
      arguments: { host: 'web-7' },
      showQueryEventDistribution: true,
    },
    gives: '7-Qm3kZx0aB9cD1eF2gH3iJ4kL',
  },
  {
    name: 'createQueryJob of the empty query',
    run: async (client) => (await client.createQueryJob('')).id,
    reply: json({ id: '1-a' }),
    sends: `POST ${REPOSITORY}/queryjobs`,
    body: { queryString: '' },
    gives: '1-a',
  },
  {
    name: 'validateQuery',
    run: (client) => client.validateQuery(HOSTILE, { isLive: true, arguments: { a: HOSTILE } }),
    reply: graphql({
      validateQuery: { isValid: false, diagnostics: [{ message: 'no', code: 'E', severity: 'Error' }] },
    }),
    sends: {
      validateQuery: {
        queryString: HOSTILE,
        version: 'legacy',
        isLive: true,
        arguments: [{ name: 'a', value: HOSTILE }],
      },
    },
    gives: { isValid: false, diagnostics: [{ message: 'no', code: 'E', severity: 'Error' }] },
  },
  {
    name: 'getUsers',
    run: (client) => client.getUsers(),
    reply: json([USER]),
    sends: `GET ${REST}/users`,
    gives: [USER],
  },
  {
    name: 'getUserByEmail',
    run: (client) => client.getUserByEmail('a+b@example.com'),
    reply: json([{ ...USER, email: 'A+b@example.com' }, USER]),
    sends: `GET ${REST}/users`,
    gives: USER,
  },
  {
    name: 'createUser',
    run: (client) => client.createUser('a+b@example.com', { isRoot: true }),
    reply: json(USER),
    sends: `POST ${REST}/users`,
    body: { email: 'a+b@example.com', isRoot: true },
    gives: USER,
  },
  {
    name: 'deleteUserById',
    run: (client) => client.deleteUserById(USER.userID),
    reply: json(USER),
    sends: `DELETE ${REST}/users/uS3r%2F1%20d`,
    gives: USER,
  },
  {
    name: 'deleteUserById that is answered with nothing',
    run: (client) => client.deleteUserById('u1'),
    reply: NOTHING,
    sends: `DELETE ${REST}/users/u1`,
    gives: undefined,
  },
  {
    name: 'listOrganizations',
    run: (client) => client.listOrganizations(),
    reply: graphql({
      searchOrganizations: { totalResults: 1, results: [{ organizationId: 'o1', organizationName: 'shop' }] },
    }),
    sends: { searchOrganizations: { sortBy: 'Name', skip: 0, limit: 100 } },
    gives: [{ id: 'o1', name: 'shop' }],
  },
  {
    name: 'createOrganization',
    run: (client) => client.createOrganization('shop', { description: 'the shop' }),
    reply: graphql({ createEmptyOrganization: { id: 'o1', name: 'shop', description: 'the shop' } }),
    sends: { createEmptyOrganization: { name: 'shop', description: 'the shop' } },
    gives: { id: 'o1', name: 'shop', description: 'the shop' },
  },
  {
    name: 'listFiles',
    run: (client) => client.listFiles(),
    reply: graphql({ searchDomain: { files: [{ nameAndPath: FILE.nameAndPath, fileSizeBytes: 12 }] } }),
    sends: { searchDomain: { name: 'sandbox' } },
    gives: [{ nameAndPath: FILE.nameAndPath, fileSizeBytes: 12 }],
  },
  {
    name: 'createFile',
    run: (client) => client.createFile('hosts.csv'),
    reply: graphql({ newFile: FILE }),
    sends: { newFile: { name: 'sandbox', fileName: 'hosts.csv' } },
    gives: FILE,
  },
  {
    name: 'getFile',
    run: (client) => client.getFile('my pack/ü 50%.csv', { encoding: 'latin1' }),
    reply: { status: 200, headers: { 'content-type': 'text/csv' }, body: [Buffer.from('h\xe9\n', 'latin1')] },
    sends: `GET ${REPOSITORY}/files/my%20pack/%C3%BC%2050%25.csv`,
    gives: 'hé\n',
  },
  {
    name: 'deleteFile',
    run: (client) => client.deleteFile('hosts.csv'),
    reply: graphql({ removeFile: { result: true } }),
    sends: { removeFile: { name: 'sandbox', fileName: 'hosts.csv' } },
    gives: true,
  },
  {
    name: 'getFileContent',
    run: (client) => client.getFileContent('hosts.csv', { offset: 5, limit: 7, filterString: HOSTILE }),
    reply: graphql({ getFileContent: FILE }),
    sends: {
      getFileContent: { name: 'sandbox', fileName: 'hosts.csv', offset: 5, limit: 7, filterString: HOSTILE },
    },
    gives: FILE,
  },
  {
    name: 'addFileContents',
    run: (client) =>
      client.addFileContents('hosts.csv', ['host', 'owner'], [['web-7', HOSTILE]], {
        columnChanges: [{ changeKind: 'Add', index: 1 }],
      }),
    reply: graphql({ updateFile: FILE }),
    sends: {
      updateFile: {
        name: 'sandbox',
        fileName: 'hosts.csv',
        headers: ['host', 'owner'],
        changedRows: [['web-7', HOSTILE]],
        columnChanges: [{ changeKind: 'Add', index: 1 }],
        offset: 0,
        limit: 200,
      },
    },
    gives: FILE,
  },
  {
    name: 'removeFileContents',
    run: (client) => client.removeFileContents('hosts.csv', { offset: 3, limit: 2 }),
    reply: graphql({ updateFile: FILE }),
    sends: {
      updateFile: {
        name: 'sandbox',
        fileName: 'hosts.csv',
        headers: [],
        changedRows: [],
        columnChanges: [],
        offset: 3,
        limit: 2,
      },
    },
    gives: FILE,
  },
  {
    name: 'createSavedQuery',
    run: (client) =>
      client.createSavedQuery('errors', HOSTILE, { description: 'all', isLive: true, start: '1h' }),
    reply: graphql({ createSavedQuery: { savedQuery: SAVED } }),
    sends: {
      createSavedQuery: {
        input: {
          viewName: 'sandbox',
          name: 'errors',
          queryString: HOSTILE,
          description: 'all',
          isLive: true,
          start: '1h',
        },
      },
    },
    gives: SAVED,
  },
  {
    name: 'listSavedQueries',
    run: (client) => client.listSavedQueries(),
    reply: graphql({ searchDomain: { savedQueries: [SAVED] } }),
    sends: { searchDomain: { name: 'sandbox' } },
    gives: [SAVED],
  },
  {
    name: 'updateSavedQuery',
    run: (client) => client.updateSavedQuery('sQ1', { name: 'warnings', queryString: '', end: 'now' }),
    reply: graphql({ updateSavedQuery: { savedQuery: SAVED } }),
    sends: {
      updateSavedQuery: {
        input: { viewName: 'sandbox', id: 'sQ1', name: 'warnings', queryString: '', end: 'now' },
      },
    },
    gives: SAVED,
  },
  {
    name: 'deleteSavedQuery',
    run: (client) => client.deleteSavedQuery('sQ1'),
    reply: graphql({ deleteSavedQuery: { result: true } }),
    sends: { deleteSavedQuery: { input: { viewName: 'sandbox', id: 'sQ1' } } },
    gives: true,
  },
  {
    name: 'listIngestTokens',
    run: (client) => client.listIngestTokens(),
    reply: graphql({ repository: { ingestTokens: [INGEST_TOKEN, { ...INGEST_TOKEN, parser: null }] } }),
    sends: { repository: { name: 'sandbox' } },
    gives: [INGEST_TOKEN, { ...INGEST_TOKEN, parser: null }],
  },
  {
    name: 'addIngestToken',
    run: (client) => client.addIngestToken('web', { parser: 'shop' }),
    reply: graphql({ addIngestTokenV3: INGEST_TOKEN }),
    sends: { addIngestTokenV3: { input: { repositoryName: 'sandbox', name: 'web', parser: 'shop' } } },
    gives: INGEST_TOKEN,
  },
  {
    name: 'assignParserToIngestToken',
    run: (client) => client.assignParserToIngestToken('web', 'shop'),
    reply: graphql({ assignParserToIngestTokenV2: INGEST_TOKEN }),
    sends: {
      assignParserToIngestTokenV2: { input: { repositoryName: 'sandbox', tokenName: 'web', parser: 'shop' } },
    },
    gives: INGEST_TOKEN,
  },
  {
    name: 'removeIngestToken',
    run: (client) => client.removeIngestToken('web'),
    reply: graphql({ removeIngestToken: { result: true } }),
    sends: { removeIngestToken: { repositoryName: 'sandbox', name: 'web' } },
    gives: true,
  },
  {
    name: 'listParsers',
    run: (client) => client.listParsers(),
    reply: graphql({ repository: { parsers: [{ id: 'p1', name: 'shop', isBuiltIn: false }] } }),
    sends: { repository: { name: 'sandbox' } },
    gives: [{ id: 'p1', name: 'shop', isBuiltIn: false }],
  },
  {
    name: 'createParser',
    run: (client) => client.createParser('shop', HOSTILE, { fieldsToTag: ['host'] }),
    reply: graphql({ createParserV2: PARSER }),
    sends: {
      createParserV2: {
        input: {
          repositoryName: 'sandbox',
          name: 'shop',
          script: HOSTILE,
          testCases: [],
          fieldsToTag: ['host'],
          fieldsToBeRemovedBeforeParsing: [],
          allowOverwritingExistingParser: false,
        },
      },
    },
    gives: PARSER,
  },
  {
    name: 'createParserFromTemplate',
    run: (client) => client.createParserFromTemplate('shop', HOSTILE),
    reply: graphql({ createParserFromTemplate: PARSER }),
    sends: {
      createParserFromTemplate: { input: { viewName: 'sandbox', name: 'shop', yamlTemplate: HOSTILE } },
    },
    gives: PARSER,
  },
  {
    name: 'testParser',
    run: (client) => client.testParser('parseJson()', [{ event: { rawString: HOSTILE } }], { name: 'shop' }),
    reply: graphql({
      testParserV2: {
        results: [
          {
            outputEvents: [{ fields: [{ fieldName: 'a', value: '1' }] }],
            outputFailures: [
              {
                outputEventIndex: 0,
                failures: {
                  parsingErrors: ['no JSON'],
                  assertionFailuresOnFields: [
                    { __typename: 'FieldUnexpectedlyPresent', fieldName: 'a', unexpectedValue: '1' },
                  ],
                  falselyTaggedFields: [],
                  arraysWithGaps: [],
                },
              },
            ],
          },
        ],
      },
    }),
    sends: {
      testParserV2: {
        input: {
          repositoryName: 'sandbox',
          parserName: 'shop',
          script: 'parseJson()',
          fieldsToTag: [],
          fieldsToBeRemovedBeforeParsing: [],
          testCases: [{ event: { rawString: HOSTILE }, outputAssertions: [] }],
          languageVersion: { name: 'legacy' },
        },
      },
    },
    gives: [
      {
        outputEvents: [{ a: '1' }],
        outputFailures: [
          {
            outputEventIndex: 0,
            failures: {
              parsingErrors: ['no JSON'],
              assertionFailuresOnFields: [
                { __typename: 'FieldUnexpectedlyPresent', fieldName: 'a', actualValue: '1' },
              ],
              falselyTaggedFields: [],
              arraysWithGaps: [],
            },
          },
        ],
      },
    ],
  },
  {
    name: 'deleteParser',
    run: (client) => client.deleteParser('p1'),
    reply: graphql({ deleteParser: { result: true } }),
    sends: { deleteParser: { input: { repositoryName: 'sandbox', id: 'p1' } } },
    gives: true,
  },
  {
    name: 'listRepositories',
    run: (client) => client.listRepositories(),
    reply: graphql({ repositories: [{ id: 'r1', name: 'sandbox', description: null }] }),
    sends: { repositories: {} },
    gives: [{ id: 'r1', name: 'sandbox', description: null }],
  },
  {
    name: 'listSearchDomains',
    run: (client) => client.listSearchDomains(),
    reply: graphql({ searchDomains: [{ name: 'sandbox', description: null, kind: 'Repository' }] }),
    sends: { searchDomains: {} },
    gives: [{ name: 'sandbox', description: null, kind: 'Repository' }],
  },
  {
    name: 'createRepository',
    run: (client) => client.createRepository('shop'),
    reply: graphql({ createRepository: { repository: { id: 'r2', name: 'shop', description: null } } }),
    sends: { createRepository: { name: 'shop' } },
    gives: { id: 'r2', name: 'shop', description: null },
  },
  {
    name: 'createRepository with a retention',
    run: (client) =>
      client.createRepository('shop', { timeBasedRetention: 7, storageSizeBasedRetention: 0.5 }),
    reply: graphql({ createRepository: { repository: { id: 'r2', name: 'shop', description: null } } }),
    sends: {
      createRepository: {
        name: 'shop',
        retentionInMillis: 604_800_000,
        retentionInStorageSizeBytes: 536_870_912,
      },
    },
    gives: { id: 'r2', name: 'shop', description: null },
  },
  {
    name: 'updateRetention',
    run: (client) =>
      client.updateRetention('shop', { timeBasedRetention: 7, ingestSizeBasedRetention: null }),
    reply: graphql({ updateRetention: { __typename: 'UpdateRetentionMutation' } }),
    sends: {
      updateRetention: { repositoryName: 'shop', timeBasedRetention: 7, ingestSizeBasedRetention: null },
    },
    gives: undefined,
  },
  {
    name: 'redactEvents',
    run: (client) =>
      client.redactEvents('password=*', {
        start: '2025-11-12T04:00+01:00',
        end: 1762917300000,
        userMessage: 'why',
      }),
    reply: graphql({ redactEvents: 'N8M03lslv8UxWSlCzNmyASN1' }),
    sends: {
      redactEvents: {
        input: {
          repositoryName: 'sandbox',
          start: '2025-11-12T03:00:00.000Z',
          end: '2025-11-12T03:15:00.000Z',
          query: 'password=*',
          userMessage: 'why',
        },
      },
    },
    gives: 'N8M03lslv8UxWSlCzNmyASN1',
  },
  {
    name: 'getRepository',
    run: (client) => client.getRepository('shop'),
    reply: graphql({ repository: { id: 'r2', name: 'shop', timeBasedRetention: 7 } }),
    sends: { repository: { name: 'shop' } },
    gives: { id: 'r2', name: 'shop', timeBasedRetention: 7 },
  },
  {
    name: 'getSearchDomain',
    run: (client) => client.getSearchDomain('all'),
    reply: graphql({
      searchDomain: {
        id: 'v1',
        name: 'all',
        kind: 'View',
        connections: [{ repository: { name: 'shop' }, filter: '*' }],
      },
    }),
    sends: { searchDomain: { name: 'all' } },
    gives: { id: 'v1', name: 'all', kind: 'View', connections: [{ repositoryName: 'shop', filter: '*' }] },
  },
  {
    name: 'updateView',
    run: (client) => client.updateView('all', [{ repositoryName: 'shop', filter: 'a=b' }]),
    reply: graphql({ updateView: { name: 'all' } }),
    sends: { updateView: { viewName: 'all', connections: [{ repositoryName: 'shop', filter: 'a=b' }] } },
    gives: { name: 'all' },
  },
  {
    name: 'updateDescription',
    run: (client) => client.updateDescription('shop', HOSTILE),
    reply: graphql({ updateDescriptionForSearchDomain: { __typename: 'UpdateDescriptionMutation' } }),
    sends: { updateDescriptionForSearchDomain: { name: 'shop', newDescription: HOSTILE } },
    gives: undefined,
  },
  {
    name: 'getParser',
    run: (client) => client.getParser('shop'),
    reply: graphql({ repository: { parser: null } }),
    sends: { repository: { name: 'sandbox' } },
    gives: undefined,
  },
  {
    name: 'updateParser',
    run: (client) => client.updateParser('p1', { script: HOSTILE, fieldsToTag: [] }),
    reply: graphql({ updateParserV2: PARSER }),
    sends: {
      updateParserV2: {
        input: { repositoryName: 'sandbox', id: 'p1', script: { script: HOSTILE }, fieldsToTag: [] },
      },
    },
    gives: PARSER,
  },
  {
    name: 'unassignParserFromIngestToken',
    run: (client) => client.unassignParserFromIngestToken('t'),
    reply: graphql({ unassignIngestToken: { __typename: 'UnassignIngestTokenMutation' } }),
    sends: { unassignIngestToken: { repositoryName: 'sandbox', tokenName: 't' } },
    gives: undefined,
  },
  {
    name: 'getSavedQuery',
    run: (client) => client.getSavedQuery('q1'),
    reply: graphql({
      searchDomain: {
        savedQueries: [
          { id: 'q0', name: 'q1' },
          { id: 'q1', name: 'q2' },
        ],
      },
    }),
    sends: { searchDomain: { name: 'sandbox' } },
    gives: { id: 'q1', name: 'q2' },
  },
  {
    name: 'getUser',
    run: (client) => client.getUser('u1'),
    reply: graphql({ user: { id: 'u1', username: 'ann' } }),
    sends: { user: { id: 'u1' } },
    gives: { id: 'u1', username: 'ann' },
  },
  {
    name: 'getCurrentUser',
    run: (client) => client.getCurrentUser(),
    reply: graphql({ currentUser: { id: 'u1' } }),
    sends: { currentUser: {} },
    gives: { id: 'u1' },
  },
  {
    name: 'updateUser',
    run: (client) => client.updateUser('u1', { fullName: HOSTILE, isRoot: false }),
    reply: graphql({ updateUserById: { user: { id: 'u1' } } }),
    sends: { updateUserById: { input: { userId: 'u1', fullName: HOSTILE, isRoot: false } } },
    gives: { id: 'u1' },
  },
  {
    name: 'getOrganization',
    run: (client) => client.getOrganization(),
    reply: graphql({ organization: { id: 'o1', name: 'O', description: null } }),
    sends: { organization: {} },
    gives: { id: 'o1', name: 'O', description: null },
  },
  {
    name: 'createView',
    run: (client) =>
      client.createView('all', [{ repositoryName: 'shop', filter: '*' }], { description: 'd' }),
    reply: graphql({ createView: { name: 'all' } }),
    sends: {
      createView: { name: 'all', description: 'd', connections: [{ repositoryName: 'shop', filter: '*' }] },
    },
    gives: { name: 'all' },
  },
  {
    name: 'deleteSearchDomain',
    run: (client) => client.deleteSearchDomain('shop', { deleteMessage: 'moved' }),
    reply: graphql({ deleteSearchDomain: { result: true } }),
    sends: { deleteSearchDomain: { name: 'shop', deleteMessage: 'moved' } },
    gives: true,
  },
];

describe.each(lawCases(CARRIERS, 3))('Client operations over $name', (carrier) => {
  it.each(OPERATIONS)('$name sends the expected request and returns the result', async (operation) => {
    const { run, reply, sends, body, gives } = operation;
    const call = typeof sends === 'string' ? sends : 'POST /graphql';
    const { client, service, calls } = await connect(carrier, { [call]: [reply] });
    expect(await run(client)).toEqual(gives);
    expect(calls()).toEqual([call]);
    const [request] = service.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    if (typeof sends !== 'string') {
      expect(askedOf(jsonOf(request))).toEqual(sends);
      expect(request?.headers).toMatchObject({
        accept: 'application/json',
        'content-type': 'application/json',
      });
    } else {
      expect(jsonOf(request)).toEqual(body);
      expect(request?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    }
  });

  it('uploadFile sends one part named file and ignores a response that is not JSON', async () => {
    const call = `POST ${REPOSITORY}/files`;
    const { client, service } = await connect(carrier, { [call]: [textError(200, 'hosts.csv uploaded')] });
    const content = 'host,owner\r\n"web-7","é"\n';
    await client.uploadFile({ name: 'ü hosts.csv', content });
    const [request] = service.requests;
    const contentType = request?.headers['content-type'] ?? '';
    expect(contentType).toMatch(/^multipart\/form-data; boundary=/);
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { 'content-type': contentType },
    }).formData();
    expect([...form.keys()]).toEqual(['file']);
    const file = form.get('file') as File;
    expect([file.name, await file.text()]).toEqual(['ü hosts.csv', content]);
  });

  it('deleteUserByEmail deletes the user with that email by ID, or returns undefined', async () => {
    const { client, calls } = await connect(carrier, {
      [`GET ${REST}/users`]: [json([USER])],
      [`DELETE ${REST}/users/uS3r%2F1%20d`]: [NOTHING],
    });
    expect(await client.deleteUserByEmail('a+b@example.com')).toEqual(USER);
    expect(await client.deleteUserByEmail('nobody@example.com')).toBeUndefined();
    expect(calls().filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
  });

  it('LogIngestClient with an ingest token uses the ingest paths without a repository', async () => {
    const service = await carrier.start({
      [`POST ${REST}/ingest/humio-structured`]: [json({})],
      [`POST ${REST}/ingest/humio-unstructured`]: [json({})],
    });
    const client = new LogIngestClient({ ingestToken: TOKEN, ...service.connection });
    expect(await client.ingestJsonData([GROUP])).toEqual({});
    expect(await client.ingestMessages(['a'], { parser: 'kv' })).toEqual({});
    expect(service.requests.map(jsonOf)).toEqual([[GROUP], [{ type: 'kv', messages: ['a'] }]]);
  });

  it('request paths keep the base URL prefix and the encoded repository name', async () => {
    const call = 'POST /humio/x/api/v1/repositories/my%20repo%2Fa%25/queryjobs';
    const { client, calls } = await connect(
      carrier,
      { [call]: [json({ id: '1-a' })], 'POST /humio/x/graphql': [graphql({ repositories: [] })] },
      { prefix: '/humio/x', repository: 'my repo/a%' },
    );
    await client.createQueryJob('*');
    await client.listRepositories();
    expect(calls()).toEqual([call, 'POST /humio/x/graphql']);
  });
});
