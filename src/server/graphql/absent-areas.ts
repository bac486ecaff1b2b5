import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import { ResourceError } from '../registries/resource-error.ts';
import type { GraphqlArea } from './area.ts';

/** A part of the service that the local server doesn't have. */
interface AbsentArea {
  readonly what: string;
  /** Names of its queries and mutations. */
  readonly operations: RegExp;
  /** Fields of repositories and views: an empty list, and an item that never exists. */
  readonly list?: string;
  readonly item?: string;
  /** Type of the items. */
  readonly type?: string;
  /** Types with the fields that humioctl and the operator select. */
  readonly typeDefs?: string;
}

const TRIGGER = /* GraphQL */ `id: String! name: String! description: String queryString: String! labels: [String!]!
  enabled: Boolean! lastError: String queryOwnership: QueryOwnership!`;
const ALERT = `${TRIGGER} throttleField: String`;
const CONNECTION = 'id: String! clusterId: String! tags: [ClusterConnectionTag!]! queryPrefix: String!';
const ACTION = 'id: String! name: String!';
const action = (name: string, fields: string): string =>
  `type ${name} implements Action { ${ACTION} ${fields} }\n`;

/** The first area that matches an operation is used. */
const AREAS: readonly AbsentArea[] = [
  {
    what: 'aggregate alerts',
    operations: /AggregateAlert/,
    list: 'aggregateAlerts',
    item: 'aggregateAlert',
    type: 'AggregateAlert',
    typeDefs: `
      type AggregateAlert { ${ALERT} actions: [Action!]! throttleTimeSeconds: Long! searchIntervalSeconds: Long!
        queryTimestampType: QueryTimestampType! triggerMode: TriggerMode! }
      enum TriggerMode { CompleteMode ImmediateMode }`,
  },
  {
    what: 'filter alerts',
    operations: /FilterAlert/,
    list: 'filterAlerts',
    item: 'filterAlert',
    type: 'FilterAlert',
    typeDefs: `type FilterAlert { ${ALERT} actions: [Action!]! throttleTimeSeconds: Long }`,
  },
  {
    what: 'scheduled searches',
    operations: /ScheduledSearch/,
    list: 'scheduledSearches',
    item: 'scheduledSearch',
    type: 'ScheduledSearch',
    typeDefs: `
      type ScheduledSearch { ${TRIGGER} start: String! end: String! searchIntervalSeconds: Long!
        searchIntervalOffsetSeconds: Long maxWaitTimeSeconds: Long timeZone: String! schedule: String!
        backfillLimit: Int! backfillLimitV2: Int queryTimestampType: QueryTimestampType!
        actions: [String!]! actionsV2: [Action!]! }`,
  },
  { what: 'scheduled reports', operations: /ScheduledReport/ },
  {
    what: 'alerts',
    operations: /Alert/,
    list: 'alerts',
    item: 'alert',
    type: 'Alert',
    typeDefs: `
      type Alert { ${ALERT} queryStart: String! throttleTimeMillis: Long!
        timeOfLastTrigger: Long isStarred: Boolean! actions: [String!]! actionsV2: [Action!]! }`,
  },
  {
    what: 'actions',
    operations: /Action/,
    list: 'actions',
    item: 'action',
    type: 'Action',
    typeDefs: [
      `interface Action { ${ACTION} }\n`,
      action(
        'EmailAction',
        'recipients: [String!]! subjectTemplate: String bodyTemplate: String useProxy: Boolean!',
      ),
      action('HumioRepoAction', 'ingestToken: String!'),
      action('OpsGenieAction', 'apiUrl: String! genieKey: String! useProxy: Boolean!'),
      action('PagerDutyAction', 'severity: String! routingKey: String! useProxy: Boolean!'),
      action('SlackAction', 'url: String! fields: [SlackFieldEntry!]! useProxy: Boolean!'),
      action(
        'SlackPostMessageAction',
        'apiToken: String! channels: [String!]! fields: [SlackFieldEntry!]! useProxy: Boolean!',
      ),
      'type SlackFieldEntry { fieldName: String! value: String! }\n',
      action('UploadFileAction', 'fileName: String!'),
      action('VictorOpsAction', 'messageType: String! notifyUrl: String! useProxy: Boolean!'),
      action(
        'WebhookAction',
        `method: String! url: String! headers: [HttpHeaderEntry!]! bodyTemplate: String! ignoreSSL: Boolean!
          useProxy: Boolean!`,
      ),
      'type HttpHeaderEntry { header: String! value: String! }\n',
      action(
        'S3Action',
        `roleArn: String! awsRegion: String! bucketName: String! fileName: String! outputMetadata: Boolean!
          outputFormat: S3ActionEventOutputFormat! useProxy: Boolean!`,
      ),
      'enum S3ActionEventOutputFormat { NDJSON CSV }',
    ].join(''),
  },
  {
    what: 'packages',
    operations: /package/i,
    list: 'installedPackages',
    type: 'PackageInstallation',
    typeDefs: `
      type PackageInstallation { id: VersionedPackageSpecifier! installedBy: UserAndTimestamp!
        updatedBy: UserAndTimestamp! source: PackageInstallationSourceType! availableUpdate: PackageVersion }
      type UserAndTimestamp { username: String! timestamp: DateTime! }
      enum PackageInstallationSourceType { HumioHub ZipFile LogScaleAssetResolutionService }
      scalar VersionedPackageSpecifier
      scalar PackageVersion`,
  },
  { what: 'dashboards', operations: /dashboard/i },
  { what: 'groups', operations: /group/i },
  { what: 'roles', operations: /role/i },
  { what: 'feature flags', operations: /feature/i },
  { what: 'archiving', operations: /^s3|Archiving/ },
  { what: 'license keys', operations: /License/ },
  {
    what: 'multi-cluster views',
    operations: /ClusterConnection/,
    typeDefs: `
      interface ClusterConnection { ${CONNECTION} }
      type LocalClusterConnection implements ClusterConnection { ${CONNECTION} targetViewName: RepoOrViewName! }
      type RemoteClusterConnection implements ClusterConnection { ${CONNECTION} publicUrl: String! }
      type ClusterConnectionTag { key: String! value: String! }`,
  },
  { what: 'cluster management', operations: /cluster(Node|Management|Unregister)|IsBeingEvicted/i },
  { what: 'event forwarding', operations: /EventForward/i },
  { what: 'ingest feeds', operations: /IngestFeed|FdrFeed/ },
  { what: 'ingest listeners', operations: /IngestListener/ },
  { what: 'IP filters', operations: /IPFilter/i },
  { what: 'security policies', operations: /SecurityPolicies/ },
  { what: 'permission tokens', operations: /token/i },
];

const LISTED = AREAS.filter(({ list }) => list !== undefined);

/** Fields of repositories and views. */
export const ABSENT_FIELDS = LISTED.map(({ list, item, type }) =>
  item === undefined
    ? `${list}: [${type}!]!`
    : `${list}: [${type}!]! ${item}(id: String, name: String): ${type}!`,
).join('\n');

/** The values of {@link ABSENT_FIELDS}. */
export const absentFields: Readonly<Record<string, unknown>> = Object.fromEntries(
  LISTED.flatMap(({ list, item, what }) => [
    [list, []],
    ...(item === undefined ? [] : [[item, () => fail(what)]]),
  ]),
);

export const absentAreas: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    interface QueryOwnership { id: String! }
    type UserOwnership implements QueryOwnership { id: String! user: User }
    type OrganizationOwnership implements QueryOwnership { id: String! organization: Organization! }
    enum QueryTimestampType { EventTimestamp IngestTimestamp }
    ${AREAS.map(({ typeDefs = '' }) => typeDefs).join('\n')}
  `,
  operations: {},
};

/** The error for something that the local server doesn't have. */
export function absence(what: string): string {
  return `The local server has no ${what}.`;
}

/** The error for a document with an operation of an absent area; `undefined` if there is none. */
export function absentOperation(document: DocumentNode, schema: GraphQLSchema): GraphQLError | undefined {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const known = schema.getRootType(definition.operation)?.getFields() ?? {};
    for (const nodes of definition.selectionSet.selections) {
      if (nodes.kind !== Kind.FIELD || nodes.name.value in known) continue;
      const area = AREAS.find(({ operations }) => operations.test(nodes.name.value));
      if (area !== undefined) return new GraphQLError(absence(area.what), { nodes });
    }
  }
  return undefined;
}

function fail(what: string): never {
  throw new ResourceError('missing', absence(what));
}
