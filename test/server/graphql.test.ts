import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { graphql, postGraphql } from './service-calls.ts';

let server: Awaited<ReturnType<typeof startLocalServer>>;
const warnings: string[] = [];
beforeAll(async () => {
  server = await startLocalServer({
    maxRequestBytes: 500_000,
    onWarning: (message: string) => warnings.push(message),
  });
});
afterAll(() => server.close());

describe('POST /graphql', () => {
  it('responds with the data as JSON', async () => {
    const response = await postGraphql(server, { query: '{ meta { version } }' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      data: { meta: { version: expect.stringMatching(/^\d+\.\d+\.\d+-/) } },
    });
  });

  it('accepts variables and selects the operation by operationName', async () => {
    const query = 'query A { organization { id } } query B($n: String!) { repository(name: $n) { name } }';
    const response = await postGraphql(server, { query, operationName: 'B', variables: { n: 'sandbox' } });
    expect(await response.json()).toEqual({ data: { repository: { name: 'sandbox' } } });
    const unnamed = (await (await postGraphql(server, { query })).json()) as {
      errors: { message: string }[];
    };
    expect(unnamed.errors[0]!.message).toContain('operation name');
  });

  it('accepts null for variables and operationName', async () => {
    const response = await postGraphql(server, {
      query: '{ meta { version } }',
      variables: null,
      operationName: null,
    });
    expect(await response.json()).toHaveProperty('data.meta.version');
  });

  it('ignores the query parameter id, which some clients add for tracing', async () => {
    const response = await fetch(`${server.url}/graphql?id=Meta`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}` },
      body: JSON.stringify({ query: '{ meta { version } }' }),
    });
    expect(await response.json()).toHaveProperty('data.meta.version');
  });

  it('reports a business error with status 200, message, path, locations and state', async () => {
    const answer = await graphql(
      server,
      'mutation {\n  deleteSavedQuery(input: {id: "x1", viewName: "sandbox"}) { result }\n}',
    );
    expect(answer).toEqual({
      data: null,
      errors: [
        {
          message: 'No saved query with id "x1"',
          path: ['deleteSavedQuery'],
          locations: [{ line: 2, column: 3 }],
          state: { id: 'not found' },
        },
      ],
    });
  });

  it.each([
    ['a syntax error', '{ meta', /Syntax Error/],
    ['an unknown field', '{ meta { versoin } }', /Did you mean "version"/],
    [
      'an operation that only the service has',
      '{ iocDatabaseInfo { status } }',
      /supports only part of the service/,
    ],
    ['a missing argument', '{ repository { name } }', /argument "name" of type "String!" is required/],
    ['a subscription', 'subscription { x }', /subscription/],
    ['an empty text', '', /Unexpected <EOF>/],
  ])('reports %s with status 200 and errors', async (_, query, message) => {
    const answer = await graphql(server, query);
    expect(answer.data).toBeNull();
    expect(answer.errors![0]!.message).toMatch(message);
  });

  it('names the variable whose value has the wrong type', async () => {
    const { errors } = await graphql(server, 'query ($n: String!) { repository(name: $n) { name } }', {
      n: 7,
    });
    expect(errors![0]!.message).toContain('"$n"');
  });

  it.each([
    ['no JSON', 'query { meta }'],
    ['an array', '[]'],
    ['no query', '{"variables": {}}'],
    ['a query that is no text', '{"query": {}}'],
    ['variables that are no object', '{"query": "{ meta { version } }", "variables": []}'],
    ['an operation name that is no text', '{"query": "{ meta { version } }", "operationName": 7}'],
  ])('rejects a body with %s with status 400 and plain text', async (_, body) => {
    const response = await postGraphql(server, body);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await response.text()).toMatch(/^The request content was malformed:\n/);
  });

  it('returns 401 without a token or for an unknown one, and 403 for an ingest token', async () => {
    const body = JSON.stringify({ query: '{ meta { version } }' });
    const without = await fetch(`${server.url}/graphql`, { method: 'POST', body });
    expect([without.status, await without.text()]).toEqual([
      401,
      expect.stringContaining('requires authentication'),
    ]);
    expect((await postGraphql(server, body, 'unknown')).status).toBe(401);
    expect((await postGraphql(server, body, server.ingestToken)).status).toBe(403);
  });

  it.each(['GET', 'PUT', 'DELETE'])('rejects %s with status 405', async (method) => {
    const response = await fetch(`${server.url}/graphql?query={meta{version}}`, {
      method,
      headers: { authorization: `Bearer ${server.userToken}` },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.text()).toBe('HTTP method not allowed, supported methods: POST');
  });

  it('rejects a body larger than maxRequestBytes with status 413', async () => {
    const response = await postGraphql(server, { query: `#${' '.repeat(600_000)}` });
    expect(response.status).toBe(413);
  });

  it('supports introspection', async () => {
    const { data } = await graphql(server, getIntrospectionQuery());
    expect(buildClientSchema(data).getQueryType()!.getFields()).toHaveProperty('searchDomain');
  });
});

describe('GraphQL operations above the cost limits', () => {
  it.each([
    ['deep', `{ ${'organization { '.repeat(30)} id ${'}'.repeat(31)}`, /more than 20 levels deep/],
    [
      'wide',
      `{ ${Array.from({ length: 2500 }, (_, i) => `a${i}: meta { version }`).join(' ')} }`,
      /more than 2000 fields/,
    ],
    [
      'made of fragments that double',
      `query { ...D29 } ${Array.from({ length: 30 }, (_, i) => `fragment D${i} on Query { ${i === 0 ? 'x: meta { version }' : `...D${i - 1} ...D${i - 1}`} }`).join(' ')}`,
      /more than 2000 fields/,
    ],
    ['long', `{ meta { ${'version '.repeat(60_000)} } }`, /token/i],
    ['nothing but brackets', `{ a(x: ${'['.repeat(40_000)}`, /nested too deeply|Syntax Error/],
    [
      'made of fragments that lead in a circle',
      'query { ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      /itself/,
    ],
  ])('are rejected: %s', async (_, query, message) => {
    const { data, errors } = await graphql(server, query);
    expect(data).toBeNull();
    expect(errors![0]!.message).toMatch(message);
  });
});

describe('Repositories over GraphQL', () => {
  it('are created with a default ingest token, listed, updated and deleted', async () => {
    const made = await graphql(
      server,
      `mutation ($n: String!) { createRepository(name: $n, description: "what for") { repository {
         id name description timeBasedRetention compressedByteSize automaticSearch
         s3ArchivingConfiguration { bucket } ingestTokens { name parser { name } } } } }`,
      { n: 'shop' },
    );
    expect(made.data.createRepository.repository).toEqual({
      id: expect.any(String),
      name: 'shop',
      description: 'what for',
      timeBasedRetention: null,
      compressedByteSize: 0,
      automaticSearch: true,
      s3ArchivingConfiguration: null,
      ingestTokens: [{ name: 'default', parser: null }],
    });
    const listed = await graphql(server, '{ repositories { name } searchDomains { name __typename } }');
    expect(listed.data.repositories).toContainEqual({ name: 'shop' });
    expect(listed.data.searchDomains).toContainEqual({ name: 'shop', __typename: 'Repository' });

    await graphql(
      server,
      'mutation { updateDescriptionForSearchDomain(name: "shop", newDescription: "new") { __typename } }',
    );
    const found = await graphql(
      server,
      '{ searchDomain(name: "shop") { description automaticSearch ... on View { connections { filter } } } }',
    );
    expect(found.data.searchDomain).toEqual({ description: 'new', automaticSearch: true });

    const deletion = 'mutation { deleteSearchDomain(name: "shop", deleteMessage: "done") { result } }';
    expect((await graphql(server, deletion)).data.deleteSearchDomain.result).toBe(true);
    expect((await graphql(server, deletion)).errors![0]!.message).toContain('Could not find');
  });

  it.each([
    ['../up', /repository name/],
    ['', /repository name/],
    ['SANDBOX', /already exists/],
  ])('cannot have the name %j', async (name, message) => {
    const { errors } = await graphql(
      server,
      'mutation ($n: String!) { createRepository(name: $n) { repository { name } } }',
      { n: name },
    );
    expect(errors![0]!.message).toMatch(message);
  });

  it('have the built-in parsers', async () => {
    const { data } = await graphql(
      server,
      '{ repository(name: "sandbox") { parsers { id name isBuiltIn } parser(name: "kv") { displayName } } }',
    );
    expect(data.repository.parsers).toEqual(
      ['accesslog', 'audit-log', 'default', 'json', 'json-for-action', 'kv', 'syslog', 'syslog-utc'].map(
        (name) => ({
          id: `builtin-${name}`,
          name,
          isBuiltIn: true,
        }),
      ),
    );
    expect(data.repository.parser.displayName).toBe('kv');
  });
});

describe('Organizations over GraphQL', () => {
  it('can be created, read and searched', async () => {
    const made = await graphql(
      server,
      'mutation { createEmptyOrganization(name: "Acme", description: "d") { id name } }',
    );
    expect(made.data.createEmptyOrganization).toEqual({ id: expect.any(String), name: 'Acme' });
    const { data } = await graphql(
      server,
      '{ organization { id name } searchOrganizations(sortBy: Name, searchFilter: "acm") { totalResults results { organizationName } } }',
    );
    expect(data.organization.name).toEqual(expect.any(String));
    expect(data.searchOrganizations).toEqual({ totalResults: 1, results: [{ organizationName: 'Acme' }] });
  });
});

describe('Server metadata over GraphQL', () => {
  it.each(['clusterConfig', 'meta'])(
    'includes in %s the version and upload limits capped at maxRequestBytes',
    async (field) => {
      const { data } = await graphql(
        server,
        `{ ${field} { version maxCsvFileUploadSizeBytes maxJsonFileUploadSizeBytes } }`,
      );
      expect(data[field]).toEqual({
        version: '1.261.0--logclient-local-server',
        maxCsvFileUploadSizeBytes: 500_000,
        maxJsonFileUploadSizeBytes: 500_000,
      });
    },
  );

  it('includes the authentication method and the organization mode', async () => {
    const { data } = await graphql(
      server,
      '{ loginInfo { authenticationMethod { name } organizationMode } }',
    );
    expect(data.loginInfo).toEqual({
      authenticationMethod: { name: 'SingleUser' },
      organizationMode: 'Single',
    });
  });

  it('marks the field meta as deprecated', async () => {
    const { data } = await graphql(
      server,
      '{ __schema { queryType { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } } }',
    );
    const fields = data.__schema.queryType.fields as { name: string; isDeprecated: boolean }[];
    expect(fields).toContainEqual({
      name: 'meta',
      isDeprecated: true,
      deprecationReason: 'Use clusterConfig or loginInfo instead.',
    });
  });
});

describe('validateQuery', () => {
  const validate = async (queryString: string, more = '') =>
    (
      await graphql(
        server,
        `query ($q: String!) { validateQuery(queryString: $q, version: legacy${more}) { isValid diagnostics { message code severity } } }`,
        { q: queryString },
      )
    ).data.validateQuery;

  it('accepts a valid query', async () => {
    expect(await validate('level=error | groupBy(host)')).toEqual({ isValid: true, diagnostics: [] });
  });

  it.each(['level=error | groupBy(', 'nosuchfunction()'])(
    'reports the error in %j with a caret',
    async (query) => {
      const { isValid, diagnostics } = await validate(query);
      expect(isValid).toBe(false);
      expect(diagnostics).toEqual([
        { message: expect.stringMatching(/\^/), code: expect.any(String), severity: 'Error' },
      ]);
    },
  );

  it('accepts values for parameters', async () => {
    expect((await validate('host=?host', ', arguments: [{name: "host", value: "web-1"}]')).isValid).toBe(
      true,
    );
  });
});

it('the server emits no warnings during these tests', () => {
  expect(warnings).toEqual([]);
});
