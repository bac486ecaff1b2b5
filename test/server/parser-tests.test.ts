import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { graphql } from './service-calls.ts';

let server: LocalServer;
let client: LogClient;
beforeAll(async () => {
  server = await startLocalServer({ listen: true, now: Date.UTC(2026, 1, 3, 9) });
  const { url: baseUrl, repository, userToken } = server;
  client = new LogClient({ baseUrl, repository, userToken });
});
afterAll(() => server.close());

const TEMPLATE = `name: shop
description: Lines of the shop
fieldsToBeRemovedBeforeParsing: [secret]
testCases:
- assertions:
  - fieldsHaveValues:
      '#service': cart
      ms: '12'
      version: 1.10
    fieldsNotPresent: [service]
    outputEventIndex: 0
  event:
    rawString: '{"service":"cart","ms":12,"version":"1.10"}'
- event:
    rawString: '{}'
$schema: https://schemas.humio.com/parser/v0.3.0
script: |-
  // Lines of the shop
  parseJson()
tagFields:
- service
`;

const CASES = [
  {
    event: { rawString: '{"service":"cart","ms":12,"version":"1.10"}' },
    outputAssertions: [
      {
        outputEventIndex: 0,
        assertions: {
          fieldsHaveValues: [
            { fieldName: '#service', expectedValue: 'cart' },
            { fieldName: 'ms', expectedValue: '12' },
            { fieldName: 'version', expectedValue: '1.10' },
          ],
          fieldsNotPresent: ['service'],
        },
      },
    ],
  },
  { event: { rawString: '{}' }, outputAssertions: [] },
];

// The documents of humioctl: github.com/humio/cli, parsers.graphql.
const DETAILS = `fragment ParserDetails on Parser { id name displayName description isBuiltIn script fieldsToTag
  fieldsToBeRemovedBeforeParsing testCases { event { rawString } outputAssertions { assertions {
  fieldsHaveValues { fieldName expectedValue } fieldsNotPresent } outputEventIndex } } }`;
const HUMIOCTL = {
  create: `mutation CreateParser($RepositoryName: RepoOrViewName! $Name: String! $Script: String!
    $TestCases: [ParserTestCaseInput!]! $FieldsToTag: [String!]! $FieldsToBeRemovedBeforeParsing: [String!]!
    $AllowOverridingExistingParser: Boolean!) { createParserV2(input: { name: $Name script: $Script testCases: $TestCases
    repositoryName: $RepositoryName fieldsToTag: $FieldsToTag fieldsToBeRemovedBeforeParsing: $FieldsToBeRemovedBeforeParsing
    allowOverwritingExistingParser: $AllowOverridingExistingParser }) { ...ParserDetails } } ${DETAILS}`,
  createLegacy: `mutation LegacyCreateParser($RepositoryName: String! $Name: String! $TestData: [String!]! $TagFields: [String!]!
    $SourceCode: String! $Force: Boolean!) { createParser(input: { name: $Name repositoryName: $RepositoryName
    testData: $TestData tagFields: $TagFields sourceCode: $SourceCode force: $Force }) { parser { ...ParserDetails } } } ${DETAILS}`,
  list: `query ListParsers($RepositoryName: String!) { repository(name: $RepositoryName) { parsers { id name isBuiltIn } } }`,
  get: `query GetParserByID($RepositoryName: String! $ParserID: String!) { repository(name: $RepositoryName) {
    parser(id: $ParserID) { ...ParserDetails } } } ${DETAILS}`,
  getLegacy: `query LegacyGetParser($RepositoryName: String! $ParserName: String!) { repository(name: $RepositoryName) {
    parser(name: $ParserName) { id name sourceCode testData tagFields } } }`,
  export: `query GetParserYAMLByName($RepositoryName: String! $ParserName: String!) { repository(name: $RepositoryName) {
    parser(name: $ParserName) { name yamlTemplate } } }`,
  remove: `mutation DeleteParserByID($RepositoryName: RepoOrViewName! $ParserID: String!) {
    deleteParser(input: { repositoryName: $RepositoryName id: $ParserID }) { __typename } }`,
  removeLegacy: `mutation LegacyDeleteParserByID($RepositoryName: String! $ParserID: String!) {
    removeParser(input: { repositoryName: $RepositoryName id: $ParserID }) { __typename } }`,
};

async function humioctl(name: keyof typeof HUMIOCTL, variables: Record<string, unknown>) {
  const { data, errors } = await graphql(server, HUMIOCTL[name], { RepositoryName: 'sandbox', ...variables });
  expect(errors).toBeUndefined();
  return data;
}

describe('Parsers managed with humioctl', () => {
  it('are installed, listed, shown, exported and removed', async () => {
    const { createParserV2: created } = await humioctl('create', {
      Name: 'installed',
      Script: 'parseJson()',
      TestCases: CASES,
      FieldsToTag: ['service'],
      FieldsToBeRemovedBeforeParsing: [],
      AllowOverridingExistingParser: false,
    });
    expect(created).toMatchObject({ name: 'installed', testCases: CASES, fieldsToTag: ['service'] });
    const { id } = created;
    const { repository: listed } = await humioctl('list', {});
    expect(listed.parsers).toContainEqual({ id, name: 'installed', isBuiltIn: false });
    expect((await humioctl('get', { ParserID: id })).repository.parser).toEqual(created);
    const { repository: exported } = await humioctl('export', { ParserName: 'installed' });
    expect(exported.parser.yamlTemplate).toContain('name: installed\n');
    await humioctl('remove', { ParserID: id });
    expect((await humioctl('get', { ParserID: id })).repository.parser).toBeNull();
  });

  it.each([
    ['null', { TestCases: null, FieldsToTag: null, FieldsToBeRemovedBeforeParsing: null }],
    ['nothing', {}],
  ])('are installed from files without lists, for which humioctl sends %s', async (_, lists) => {
    const { createParserV2: created } = await humioctl('create', {
      Name: 'bare',
      Script: 'parseJson()',
      ...lists,
      AllowOverridingExistingParser: true,
    });
    expect(created).toMatchObject({ testCases: [], fieldsToTag: [], fieldsToBeRemovedBeforeParsing: [] });
  });

  it('are not installed without a script', async () => {
    const variables = { RepositoryName: 'sandbox', Name: 'empty', AllowOverridingExistingParser: false };
    const { errors } = await graphql(server, HUMIOCTL.create, { ...variables, Script: null });
    expect(errors![0]!.message).toMatch(/^Variable "\$Script" of non-null type "String!" must not be null/);
  });

  it('are created, shown and removed with test data by an older version', async () => {
    const { createParser } = await humioctl('createLegacy', {
      Name: 'old',
      TestData: ['a=1', 'b=2'],
      TagFields: ['a'],
      SourceCode: 'kvParse()',
      Force: true,
    });
    const { id, testCases } = createParser.parser;
    expect(testCases).toEqual(
      ['a=1', 'b=2'].map((rawString) => ({ event: { rawString }, outputAssertions: [] })),
    );
    const { repository } = await humioctl('getLegacy', { ParserName: 'old' });
    expect(repository.parser).toEqual({
      id,
      name: 'old',
      sourceCode: 'kvParse()',
      testData: ['a=1', 'b=2'],
      tagFields: ['a'],
    });
    await humioctl('removeLegacy', { ParserID: id });
  });

  it('include the built-in parsers', async () => {
    const { repository } = await humioctl('export', { ParserName: 'kv' });
    expect(repository.parser.yamlTemplate).toContain('name: kv\n');
  });
});

describe('Parser template', () => {
  it('creates a parser with test cases, whose yamlTemplate creates an equal parser', async () => {
    const created = await client.createParserFromTemplate('from-yaml', TEMPLATE);
    expect(created).toMatchObject({
      name: 'from-yaml',
      script: '// Lines of the shop\nparseJson()',
      fieldsToTag: ['service'],
      fieldsToBeRemovedBeforeParsing: ['secret'],
      testCases: CASES,
    });
    const {
      id: _,
      yamlTemplate: __,
      ...rest
    } = await client.createParserFromTemplate('copy', created.yamlTemplate);
    expect(rest).toEqual({ ...rest, name: 'copy', testCases: CASES, script: created.script });
  });

  it('updates or keeps an existing parser with ifExists, and fails without it', async () => {
    const first = await client.createParserFromTemplate('twice', TEMPLATE);
    await expect(client.createParserFromTemplate('twice', TEMPLATE)).rejects.toMatchObject({
      code: 'LOG_EXISTS',
    });
    const changed = TEMPLATE.replace('parseJson()', 'kvParse()');
    const kept = await client.createParserFromTemplate('twice', changed, { ifExists: 'keep' });
    expect(kept).toEqual(first);
    const updated = await client.createParserFromTemplate('twice', changed, { ifExists: 'update' });
    expect(updated).toMatchObject({
      id: first.id,
      script: '// Lines of the shop\nkvParse()',
      testCases: CASES,
    });
  });

  it.each([
    ['a: [', 'The template is invalid. Line 1: The file is not YAML'],
    ['- a', 'Line 1: The file must be a mapping with "name: value" lines.'],
    ['name: x', 'Line 1: script is missing.'],
    ['script: "*"', 'Line 1: name is missing.'],
    ['name: x\nscript: "*"\ntestcases: []', 'Line 3: testcases is unknown. Did you mean "testCases"?'],
    [
      'name: x\nscript: "*"\ntestCases:\n- event: { rawString: a }\n  assertions:\n  - fieldHaveValues: {}',
      'Line 6: testCases[0].assertions[0].fieldHaveValues is unknown. Did you mean "fieldsHaveValues"?',
    ],
    [
      'name: x\nscript: "*"\ntestCases:\n- event: { rawString: a }\n  assertions:\n  - outputEventIndex: -1',
      'testCases[0].assertions[0].outputEventIndex must be a whole number from 0 (got "-1").',
    ],
    ['name: x\nscript: "*"\ntests: line', 'Line 3: tests must be a list: each item starts with "- ".'],
  ])('is rejected if it is invalid: %j', async (yaml, message) => {
    const creating = client.createParserFromTemplate('bad', yaml);
    await expect(creating).rejects.toMatchObject({
      code: 'LOG_INVALID',
      message: expect.stringContaining(message),
    });
  });
});

describe('testParser()', () => {
  it('passes test cases whose assertions hold, and returns their events', async () => {
    const results = await client.testParser('parseJson()', CASES, { name: 'shop', fieldsToTag: ['service'] });
    expect(results.map(({ outputFailures }) => outputFailures)).toEqual([[], []]);
    expect(results[0]!.outputEvents).toEqual([
      expect.objectContaining({ '#repo': 'sandbox', '#type': 'shop', '#service': 'cart', ms: '12' }),
    ]);
  });

  it('reports each kind of failure', async () => {
    const assertions = (fields: Record<string, string>, fieldsNotPresent: string[] = []) => ({
      fieldsHaveValues: Object.entries(fields).map(([fieldName, expectedValue]) => ({
        fieldName,
        expectedValue,
      })),
      fieldsNotPresent,
    });
    const [result] = await client.testParser('parseJson() | "#x" := 1 | b[2] := 1', [
      {
        event: { rawString: '{"a":1,"c":[{"d":["x"]}]}' },
        outputAssertions: [
          {
            outputEventIndex: 0,
            assertions: assertions({ a: '2', z: '3', t: '4' }, ['c[0].d[0]', 't', 'q']),
          },
          { outputEventIndex: 1, assertions: assertions({ a: '1' }, ['b']) },
        ],
      },
    ]);
    expect(result!.outputFailures).toEqual([
      {
        outputEventIndex: 0,
        failures: {
          parsingErrors: [],
          assertionFailuresOnFields: [
            { __typename: 'FieldHadUnexpectedValue', fieldName: 'a', expectedValue: '2', actualValue: '1' },
            { __typename: 'FieldHadUnexpectedValue', fieldName: 'z', expectedValue: '3', actualValue: null },
            { __typename: 'FieldHadConflictingAssertions', fieldName: 't' },
            { __typename: 'FieldUnexpectedlyPresent', fieldName: 'c[0].d[0]', actualValue: 'x' },
          ],
          falselyTaggedFields: ['#x'],
          arraysWithGaps: [{ lastValidPrefix: 'b', gaps: [{ startsAtIndex: 0, endsAtIndex: 2 }] }],
        },
      },
      {
        outputEventIndex: 1,
        failures: {
          parsingErrors: [],
          assertionFailuresOnFields: [
            { __typename: 'AssertionOnFieldWasOrphaned', fieldName: 'a' },
            { __typename: 'AssertionOnFieldWasOrphaned', fieldName: 'b' },
          ],
          falselyTaggedFields: [],
          arraysWithGaps: [],
        },
      },
    ]);
  });

  it('reports errors of the parser as parsingErrors', async () => {
    const [result] = await client.testParser('parseJson()', [{ event: { rawString: 'no JSON' } }]);
    expect(result!.outputFailures[0]!.failures.parsingErrors).toEqual([expect.stringContaining('JSON')]);
  });

  it('returns no events for a line that the parser drops', async () => {
    const results = await client.testParser('dropEvent()', [{ event: { rawString: 'a' } }]);
    expect(results).toEqual([{ outputEvents: [], outputFailures: [] }]);
  });

  it('uses the lookup files of the repository', async () => {
    await client.uploadFile({ name: 'teams.csv', content: 'service,team\ncart,blue\n' });
    const [result] = await client.testParser('parseJson() | match("teams.csv", field=service)', [CASES[0]!]);
    expect(result!.outputEvents[0]).toMatchObject({ team: 'blue' });
  });

  it('reports a lookup file that does not exist as an error', async () => {
    const [result] = await client.testParser('match("no.csv", field=a)', [CASES[0]!]);
    expect(result!.outputFailures[0]!.failures.parsingErrors).toEqual([
      expect.stringContaining('uses the lookup file "no.csv"'),
    ]);
  });

  it('rejects a line in place of a test case, with its index', async () => {
    await expect(client.testParser('parseJson()', [CASES[0]!, 'x' as never])).rejects.toThrow(
      `testParser: "testCases" must be an array of test cases such as { event: { rawString: 'a line' } } (got "x" at index 1).`,
    );
  });

  it('rejects an invalid script', async () => {
    await expect(client.testParser('count()', CASES)).rejects.toMatchObject({
      code: 'LOG_INVALID',
      message: expect.stringContaining("count() can't be used in a parser"),
    });
  });
});
