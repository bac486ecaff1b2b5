import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { goJson, goRequest } from '../helpers/go-http.ts';
import { type GraphqlTestAnswer, graphql } from './service-calls.ts';

// The operations of humioctl (humio/cli) and of humio-operator, with the fields that their decoders read. Those of
// parsers are in parser-tests.test.ts.

/** Older versions of humioctl select the owner. */
const OWNERSHIP = `queryOwnership { __typename id ... on UserOwnership { user { id username } }
  ... on OrganizationOwnership { organization { id } } }`;
const ACTION = `__typename id name
  ... on EmailAction { recipients subjectTemplate emailBodyTemplate: bodyTemplate useProxy }
  ... on HumioRepoAction { ingestToken }
  ... on OpsGenieAction { apiUrl genieKey useProxy }
  ... on PagerDutyAction { severity routingKey useProxy }
  ... on SlackAction { url fields { fieldName value } useProxy }
  ... on SlackPostMessageAction { apiToken channels fields { fieldName value } useProxy }
  ... on VictorOpsAction { messageType notifyUrl useProxy }
  ... on UploadFileAction { fileName }
  ... on WebhookAction { method url headers { header value } WebhookBodyTemplate: bodyTemplate ignoreSSL useProxy }
  ... on S3Action { roleArn awsRegion bucketName fileName outputFormat outputMetadata useProxy }`;
const AGGREGATE_ALERT = `id name description queryString searchIntervalSeconds throttleTimeSeconds throttleField
  actions { __typename name } labels enabled triggerMode queryTimestampType ${OWNERSHIP}`;
const FILTER_ALERT = `id name description queryString throttleTimeSeconds throttleField actions { __typename name }
  labels enabled ${OWNERSHIP}`;
const SEARCH_V2 = `id name description queryString searchIntervalSeconds searchIntervalOffsetSeconds maxWaitTimeSeconds
  timeZone schedule backfillLimitV2 enabled actionsV2 { __typename name } labels queryTimestampType ${OWNERSHIP}`;

const listOf = (name: string, fields: string): string =>
  `query List($SearchDomainName: String!) { searchDomain(name: $SearchDomainName) { __typename ${name} { ${fields} } } }`;

/** Lists that are always empty, by the field of a repository or view. */
const LISTS: Readonly<Record<string, string>> = {
  alerts: listOf(
    'alerts',
    `id name queryString queryStart throttleField timeOfLastTrigger isStarred description throttleTimeMillis enabled
     actions labels lastError ${OWNERSHIP}`,
  ),
  aggregateAlerts: listOf('aggregateAlerts', AGGREGATE_ALERT),
  filterAlerts: listOf('filterAlerts', FILTER_ALERT),
  scheduledSearches: listOf(
    'scheduledSearches',
    `id name description queryString start end timeZone schedule backfillLimit enabled actionsV2 { __typename name }
     labels ${OWNERSHIP} ${SEARCH_V2}`,
  ),
  actions: listOf('actions', ACTION),
  installedPackages: listOf(
    'installedPackages',
    'id installedBy { username timestamp } updatedBy { username timestamp } source availableUpdate',
  ),
};

/** Items that never exist: area and query. */
const ITEMS: Readonly<Record<string, string>> = {
  actions: `query Get($D: String! $ID: String!) { searchDomain(name: $D) { __typename action(id: $ID) { ${ACTION} } } }`,
  'aggregate alerts': `query Get($D: String! $ID: String!) { searchDomain(name: $D) { __typename aggregateAlert(id: $ID) {
    ${AGGREGATE_ALERT} } } }`,
  'filter alerts': `query Get($D: String! $ID: String!) { searchDomain(name: $D) { __typename filterAlert(id: $ID) {
    ${FILTER_ALERT} } } }`,
  'scheduled searches': `query Get($D: String! $ID: String!) { searchDomain(name: $D) { __typename
    scheduledSearch(id: $ID) { ${SEARCH_V2} } } }`,
};

const NODE = `nodes { id name uri uuid clusterInfoAgeSeconds inboundSegmentSize outboundSegmentSize
  canBeSafelyUnregistered currentSize primarySize secondarySize totalSizeOfPrimary totalSizeOfSecondary freeOnPrimary
  freeOnSecondary wipSize targetSize solitarySegmentSize isAvailable lastHeartbeat zone }`;
const CLUSTER = `query GetCluster { cluster { ${NODE} clusterInfoAgeSeconds underReplicatedSegmentSize
  overReplicatedSegmentSize missingSegmentSize properlyReplicatedSegmentSize targetUnderReplicatedSegmentSize
  targetOverReplicatedSegmentSize targetMissingSegmentSize targetProperlyReplicatedSegmentSize
  ingestPartitions { id nodeIds } } }`;
const LICENSE = `query GetLicense { installedLicense { __typename expiresAt issuedAt
  ... on OnPremLicense { uid owner maxUsers } } }`;
const AUTOMATIC = `mutation SetAutomaticSearching($SearchDomainName: String! $AutomaticSearch: Boolean!) {
  setAutomaticSearching(name: $SearchDomainName automaticSearch: $AutomaticSearch) { __typename } }`;
const REPOSITORY = `__typename id name description timeBasedRetention ingestSizeBasedRetention storageSizeBasedRetention
  compressedByteSize automaticSearch s3ArchivingConfiguration { bucket region disabled format }`;
const DOMAIN = `query GetSearchDomain($SearchDomainName: String!) { searchDomain(name: $SearchDomainName) { __typename id name
  description automaticSearch ... on View { isFederated connections { repository { name } filter } } } }`;
const MULTI_CLUSTER = `query GetMultiClusterSearchView($SearchDomainName: String!) {
  searchDomain(name: $SearchDomainName) { __typename id name description automaticSearch ... on View { isFederated
    clusterConnections { __typename clusterId id queryPrefix tags { key value }
      ... on LocalClusterConnection { targetViewName } ... on RemoteClusterConnection { publicUrl } } } } }`;
const USER = 'id username fullName email company countryCode picture isRoot createdAt';
const TOKEN = 'name token parser { name }';

/** Operations of areas that the local server supports; each must be valid. */
const SERVED: readonly string[] = [
  CLUSTER,
  LICENSE,
  AUTOMATIC,
  DOMAIN,
  `query { repositories { id name compressedByteSize } repository(name: "sandbox") { ${REPOSITORY} } }`,
  `mutation M($N: String! $D: Float $G: Float) { createRepository(name: $N) { repository { ${REPOSITORY} } }
    a: updateRetention(repositoryName: $N timeBasedRetention: $D) { __typename }
    b: updateRetention(repositoryName: $N storageSizeBasedRetention: $G) { __typename }
    c: updateRetention(repositoryName: $N ingestSizeBasedRetention: $G) { __typename } }`,
  `mutation M($N: String! $A: Long $I: Long $S: Long) { createRepository(name: $N retentionInMillis: $A
    retentionInIngestSizeBytes: $I retentionInStorageSizeBytes: $S) { repository { ${REPOSITORY} } } }`,
  `mutation M($N: String! $T: String!) { deleteSearchDomain(name: $N deleteMessage: $T) { __typename }
    updateDescriptionForSearchDomain(name: $N newDescription: $T) { __typename } }`,
  `query { searchDomains { __typename id name automaticSearch ... on View { isFederated connections { repository {
    name compressedByteSize timeBasedRetention } } } } }`,
  `mutation M($N: String! $T: String $C: [ViewConnectionInput!] $D: [ViewConnectionInput!]!) {
    createView(name: $N description: $T connections: $C) { __typename } updateView(viewName: $N connections: $D) { name } }`,
  'mutation M($N: String! $T: String) { createView(name: $N description: $T isFederated: true) { __typename } }',
  `query Q($U: String!) { viewer { username } all: users { ${USER} } users(search: $U) { ${USER} } }`,
  `mutation M($U: String! $R: Boolean $F: String) {
    addUserV2(input: { username: $U isRoot: $R fullName: $F }) { __typename ... on User { ${USER} } }
    updateUser(input: { username: $U isRoot: $R fullName: $F }) { __typename }
    removeUser(input: { username: $U }) { user { ${USER} } } }`,
  `query Q($R: String!) { repository(name: $R) { ingestTokens { ${TOKEN} } } }`,
  `mutation M($R: String! $N: String! $P: String $Q: String!) {
    addIngestTokenV3(input: { repositoryName: $R name: $N parser: $P }) { ${TOKEN} }
    assignParserToIngestTokenV2(input: { repositoryName: $R parser: $Q tokenName: $N }) { __typename }
    unassignIngestToken(repositoryName: $R tokenName: $N) { __typename }
    removeIngestToken(repositoryName: $R name: $N) { __typename } }`,
  `query Q($D: String!) { searchDomain(name: $D) { __typename files { contentHash nameAndPath { name } } } }`,
  `mutation M($D: String! $F: String!) { removeFile(name: $D fileName: $F) { __typename } }`,
  `mutation M($V: String! $N: String! $Q: String! $D: String $L: [String!] $I: String!) {
    createSavedQuery(input: { viewName: $V name: $N queryString: $Q description: $D labels: $L }) { savedQuery { id } }
    deleteSavedQuery(input: { viewName: $V id: $I }) { result } }`,
  'query { cluster { nodes { id zone uri isAvailable } } }',
  `query { cluster { nodes { id isBeingEvicted reasonsNodeCannotBeSafelyUnregistered { isAlive hasUnderReplicatedData
    hasDataThatExistsOnlyOnThisNode leadsDigest } } } }`,
];

/** Operations of areas that the local server doesn't support, with types that its schema lacks, too. */
const ABSENT: readonly (readonly [area: string, document: string])[] = [
  [
    'alerts',
    'mutation M($T: Long! $O: QueryOwnershipType) { createAlert(input: { throttleTimeMillis: $T }) { id } }',
  ],
  ['alerts', 'mutation M($ID: String!) { deleteAlert(input: { viewName: "sandbox" id: $ID }) }'],
  [
    'aggregate alerts',
    'mutation M($T: TriggerMode!) { createAggregateAlert(input: { triggerMode: $T }) { id } }',
  ],
  ['filter alerts', 'mutation M($O: QueryOwnershipType!) { updateFilterAlert(input: { id: "1" }) { id } }'],
  ['scheduled searches', 'mutation { createScheduledSearch(input: { name: "x" }) { id } }'],
  ['scheduled searches', 'mutation { createScheduledSearchV2(input: { name: "x" }) { id } }'],
  ['actions', 'mutation M($F: [SlackFieldEntryInput!]!) { createSlackAction(input: { fields: $F }) { id } }'],
  ['actions', 'mutation M($ID: String!) { deleteAction(input: { viewName: "sandbox" id: $ID }) }'],
  [
    'packages',
    'mutation M($P: UnversionedPackageSpecifier!) { uninstallPackage(viewName: "v" packageId: $P) { __typename } }',
  ],
  [
    'archiving',
    'mutation M($F: S3ArchivingFormat!) { s3ConfigureArchiving(repositoryName: "r" format: $F) { __typename } }',
  ],
  ['license keys', 'mutation M($L: String!) { updateLicenseKey(license: $L) { __typename } }'],
  [
    'cluster management',
    'mutation M($N: Int!) { clusterUnregisterNode(nodeID: $N force: true) { __typename } }',
  ],
  [
    'multi-cluster views',
    'mutation { createLocalClusterConnection(input: { targetViewName: "v" }) { __typename } }',
  ],
  ['groups', 'query { groupsPage(pageNumber: 1 pageSize: 2147483647) { page { id displayName } } }'],
  ['roles', 'query { roles { id displayName } }'],
  ['feature flags', 'query { featureFlags(includeExperimentalFeatures: true) { flag description } }'],
  ['permission tokens', 'mutation M($ID: String!) { rotateToken(input: { id: $ID }) }'],
  ['IP filters', 'query { ipFilters { id name } }'],
];

/** Documents with short titles for a test report. */
function titled(documents: readonly string[]): (readonly [title: string, document: string])[] {
  return documents.map((document) => [document.replace(/\s+/g, ' ').slice(0, 100), document]);
}

let server: LocalServer;
let schema: GraphQLSchema;
beforeAll(async () => {
  server = await startLocalServer();
  schema = buildClientSchema((await graphql(server, getIntrospectionQuery())).data);
});
afterAll(() => server.close());

async function dataOf(
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlTestAnswer['data']> {
  const { data, errors } = await graphql(server, query, { SearchDomainName: 'sandbox', ...variables });
  expect(errors).toBeUndefined();
  return data;
}

describe('GraphQL schema for humioctl', () => {
  it.each(titled(SERVED))('accepts %s', (_, document) => {
    expect(validate(schema, parse(document))).toEqual([]);
  });

  it.each([
    ['Repository.name', 'RepoOrViewName!'],
    ['View.name', 'RepoOrViewName!'],
    ['SearchDomain.name', 'RepoOrViewName!'],
    ['View.isFederated', 'Boolean!'],
    ['Mutation.addUserV2', 'userOrPendingUser!'],
    ['Mutation.deleteSavedQuery', 'BooleanResultType!'],
    ['Mutation.deleteSearchDomain', 'BooleanResultType!'],
    ['Mutation.setAutomaticSearching', 'setAutomaticSearching!'],
    ['CreateSavedQueryInput.options', 'String'],
    ['SavedQuery.options', 'JSON!'],
    ['UploadedFileSnapshot.limit', 'Int!'],
    ['UploadedFileSnapshot.offset', 'Int!'],
    ['S3Configuration.format', 'S3ArchivingFormat'],
    ['Parser.testCases', '[ParserTestCase!]!'],
    ['CreateParserInputV2.languageVersion', 'LanguageVersionInputType'],
    ['Query.installedLicense', 'License'],
    ['Query.cluster', 'Cluster!'],
  ])('declares %s with its type in version 1.204 of the service: %s', (path, expected) => {
    const [owner, field] = path.split('.') as [string, string];
    const type = schema.getType(owner) as unknown as { getFields(): Record<string, { type: unknown }> };
    expect(String(type.getFields()[field]!.type)).toBe(expected);
  });
});

describe('humioctl', () => {
  it.each(Object.entries(LISTS))('gets an empty list of %s', async (name, document) => {
    expect((await dataOf(document)).searchDomain).toEqual({ __typename: 'Repository', [name]: [] });
  });

  it('gets an empty list of what its fragments select', async () => {
    const document = `query List($SearchDomainName: String!) { searchDomain(name: $SearchDomainName) { alerts { ...A } } }
      fragment A on Alert { id queryOwnership { ...O } } fragment O on QueryOwnership { id }`;
    expect((await dataOf(document)).searchDomain).toEqual({ alerts: [] });
  });

  it.each(Object.entries(ITEMS))(
    'gets an error when it requests one of the unsupported %s',
    async (area, document) => {
      const { errors } = await graphql(server, document, { D: 'sandbox', ID: 'x' });
      expect(errors!.map(({ message }) => message)).toEqual([`The local server has no ${area}.`]);
    },
  );

  it.each(ABSENT)('gets one error about the unsupported %s for %s', async (area, document) => {
    const variables = { ID: 'x', T: 1, L: 'key', N: 1, P: 'a/b', F: [], O: 'User' };
    const { data, errors } = await graphql(server, document, variables);
    expect(data).toBeNull();
    expect(errors!.map(({ message }) => message)).toEqual([`The local server has no ${area}.`]);
  });

  it('shows a cluster of one node', async () => {
    const { cluster } = await dataOf(CLUSTER);
    expect(cluster.ingestPartitions).toEqual([{ id: 0, nodeIds: [1] }]);
    const [node] = cluster.nodes;
    expect(cluster.nodes).toHaveLength(1);
    expect(node).toMatchObject({
      id: 1,
      uri: server.url,
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
      isAvailable: true,
      zone: null,
    });
    expect(new Date(node.lastHeartbeat).toISOString()).toBe(node.lastHeartbeat);
    expect(node.freeOnPrimary).toBeCloseTo(node.totalSizeOfPrimary - node.primarySize);
  });

  it('shows a license that does not expire', async () => {
    const { installedLicense } = await dataOf(LICENSE);
    expect(installedLicense).toMatchObject({
      __typename: 'OnPremLicense',
      owner: 'logclient',
      maxUsers: null,
    });
    expect(Date.parse(installedLicense.expiresAt)).toBeGreaterThan(Date.UTC(9999, 0));
  });

  it.each(['sandbox', 'humio-search-all'])(
    'turns automatic search of %s off and on',
    async (SearchDomainName) => {
      const isAutomatic = async () =>
        (await dataOf(DOMAIN, { SearchDomainName })).searchDomain.automaticSearch;
      expect(await isAutomatic()).toBe(true);
      await dataOf(AUTOMATIC, { SearchDomainName, AutomaticSearch: false });
      expect(await isAutomatic()).toBe(false);
      await dataOf(AUTOMATIC, { SearchDomainName, AutomaticSearch: true });
      expect(await isAutomatic()).toBe(true);
    },
  );

  it('creates a repository with automatic search, regardless of a deleted one with that name', async () => {
    for (const automaticSearch of [false, true]) {
      const { createRepository } = await dataOf(
        'mutation { createRepository(name: "again") { repository { automaticSearch } } }',
      );
      expect(createRepository.repository.automaticSearch).toBe(true);
      await dataOf(AUTOMATIC, { SearchDomainName: 'again', AutomaticSearch: automaticSearch });
      await dataOf('mutation { deleteSearchDomain(name: "again") { result } }');
    }
  });

  it('shows the view humio-audit as empty and not federated', async () => {
    const { searchDomain } = await dataOf(DOMAIN, { SearchDomainName: 'humio-audit' });
    expect(searchDomain).toMatchObject({ __typename: 'View', isFederated: false, connections: [] });
    const { searchDomain: multi } = await dataOf(MULTI_CLUSTER, { SearchDomainName: 'humio-audit' });
    expect(multi).toMatchObject({ isFederated: false, clusterConnections: [] });
  });

  it.each(['isFederated: true', 'federatedViews: ["x"]'])(
    'cannot create a view with %s',
    async (argument) => {
      const { errors } = await graphql(server, `mutation { createView(name: "far", ${argument}) { name } }`);
      expect(errors![0]!.message).toBe('The local server has no multi-cluster views.');
    },
  );

  it('reports a package as invalid and fails to install it with the same reason', async () => {
    const headers = {
      authorization: `Bearer ${server.userToken}`,
      'content-type': 'application/zip',
      'user-agent': 'humioctl/0.40.0',
    };
    const send = (path: string) =>
      goRequest('POST', `${server.url}/api/v1/packages/${path}`, { headers, body: 'PK' });
    const report = { installationErrors: ['The local server has no packages.'], parseErrors: [] };
    const analyzed = await send('analyze?view=sandbox');
    expect([analyzed.status, JSON.parse(analyzed.body)]).toEqual([200, report]);
    const installed = await send('install?view=sandbox&overwrite=true');
    expect([installed.status, JSON.parse(installed.body)]).toEqual([
      400,
      { ...report, responseType: 'error' },
    ]);
    expect(server.inspect.rejections()).toContainEqual(
      expect.objectContaining({
        path: '/api/v1/packages/install',
        reason: 'The local server has no packages.',
      }),
    );
    expect((await goRequest('POST', `${server.url}/api/v1/packages/install`)).status).toBe(401);
  });

  it('gets a query error as plain text with a caret', async () => {
    const headers = { authorization: `Bearer ${server.userToken}`, 'user-agent': 'humioctl/0.40.0' };
    const body = goJson({ queryString: 'groupBy(', start: '1h' });
    const url = `${server.url}/api/v1/repositories/sandbox/queryjobs`;
    const response = await goRequest('POST', url, { headers, body });
    expect([response.status, response.headers['content-type']]).toEqual([400, 'text/plain; charset=UTF-8']);
    expect(response.body).toMatch(/groupBy\(\n[ |]*\^/);
  });
});
