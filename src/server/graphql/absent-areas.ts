import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import { ResourceError } from '../registries/resource-error.ts';
import type { GraphqlArea } from './area.ts';

/** What the local server doesn't have, by the names of its queries and mutations. The first match is used. */
const ABSENT: readonly (readonly [what: string, operations: RegExp])[] = [
  ['aggregate alerts', /AggregateAlert/],
  ['filter alerts', /FilterAlert/],
  ['scheduled searches', /ScheduledSearch/],
  ['scheduled reports', /ScheduledReport/],
  ['alerts', /Alert/],
  ['actions', /Action/],
  ['packages', /package/i],
  ['dashboards', /dashboard/i],
  ['groups', /group/i],
  ['roles', /role/i],
  ['feature flags', /feature/i],
  ['archiving', /^s3|Archiving/],
  ['license keys', /License/],
  ['multi-cluster views', /ClusterConnection/],
  ['cluster management', /cluster(Node|Management|Unregister)|IsBeingEvicted/i],
  ['event forwarding', /EventForward/i],
  ['ingest feeds', /IngestFeed|FdrFeed/],
  ['ingest listeners', /IngestListener/],
  ['IP filters', /IPFilter/i],
  ['security policies', /SecurityPolicies/],
  ['permission tokens', /token/i],
];

/** Fields of repositories and views for such things: a list, which is empty, and an item, which never exists. */
const FIELDS: readonly (readonly [what: string, type: string, list: string, item?: string])[] = [
  ['aggregate alerts', 'AggregateAlert', 'aggregateAlerts', 'aggregateAlert'],
  ['filter alerts', 'FilterAlert', 'filterAlerts', 'filterAlert'],
  ['scheduled searches', 'ScheduledSearch', 'scheduledSearches', 'scheduledSearch'],
  ['alerts', 'Alert', 'alerts', 'alert'],
  ['actions', 'Action', 'actions', 'action'],
  ['packages', 'PackageInstallation', 'installedPackages'],
];

export const ABSENT_FIELDS = FIELDS.map(([, type, list, item]) =>
  item === undefined
    ? `${list}: [${type}!]!`
    : `${list}: [${type}!]! ${item}(id: String, name: String): ${type}!`,
).join('\n');

/** The values of {@link ABSENT_FIELDS}. */
export const absentFields: Readonly<Record<string, unknown>> = Object.fromEntries(
  FIELDS.flatMap(([what, , list, item]) => [
    [list, []],
    ...(item === undefined ? [] : [[item, () => fail(what)]]),
  ]),
);

const TRIGGER = `id: String! name: String! description: String queryString: String! labels: [String!]!
  enabled: Boolean! lastError: String queryOwnership: QueryOwnership!`;
const ALERT = `${TRIGGER} throttleField: String`;
const CONNECTION = 'id: String! clusterId: String! tags: [ClusterConnectionTag!]! queryPrefix: String!';
const ACTION = 'id: String! name: String!';

/** The kinds of actions, with their own fields. */
const ACTIONS = {
  EmailAction: 'recipients: [String!]! subjectTemplate: String bodyTemplate: String useProxy: Boolean!',
  HumioRepoAction: 'ingestToken: String!',
  OpsGenieAction: 'apiUrl: String! genieKey: String! useProxy: Boolean!',
  PagerDutyAction: 'severity: String! routingKey: String! useProxy: Boolean!',
  SlackAction: 'url: String! fields: [SlackFieldEntry!]! useProxy: Boolean!',
  SlackPostMessageAction:
    'apiToken: String! channels: [String!]! fields: [SlackFieldEntry!]! useProxy: Boolean!',
  UploadFileAction: 'fileName: String!',
  VictorOpsAction: 'messageType: String! notifyUrl: String! useProxy: Boolean!',
  WebhookAction: `method: String! url: String! headers: [HttpHeaderEntry!]! bodyTemplate: String! ignoreSSL: Boolean!
    useProxy: Boolean!`,
  S3Action: `roleArn: String! awsRegion: String! bucketName: String! fileName: String! outputMetadata: Boolean!
    outputFormat: S3ActionEventOutputFormat! useProxy: Boolean!`,
};

/** The types whose fields humioctl and the operator select. No value has one of them. */
export const absentAreas: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    interface QueryOwnership { id: String! }
    type UserOwnership implements QueryOwnership { id: String! user: User }
    type OrganizationOwnership implements QueryOwnership { id: String! organization: Organization! }
    enum QueryTimestampType { EventTimestamp IngestTimestamp }
    enum TriggerMode { CompleteMode ImmediateMode }
    type AggregateAlert { ${ALERT} actions: [Action!]! throttleTimeSeconds: Long! searchIntervalSeconds: Long!
      queryTimestampType: QueryTimestampType! triggerMode: TriggerMode! }
    type FilterAlert { ${ALERT} actions: [Action!]! throttleTimeSeconds: Long }
    type Alert { ${ALERT} queryStart: String! throttleTimeMillis: Long! timeOfLastTrigger: Long isStarred: Boolean!
      actions: [String!]! actionsV2: [Action!]! }
    type ScheduledSearch { ${TRIGGER} start: String! end: String! searchIntervalSeconds: Long!
      searchIntervalOffsetSeconds: Long maxWaitTimeSeconds: Long timeZone: String! schedule: String!
      backfillLimit: Int! backfillLimitV2: Int queryTimestampType: QueryTimestampType!
      actions: [String!]! actionsV2: [Action!]! }
    interface Action { ${ACTION} }
    ${Object.entries(ACTIONS)
      .map(([name, fields]) => `type ${name} implements Action { ${ACTION} ${fields} }`)
      .join('\n')}
    type SlackFieldEntry { fieldName: String! value: String! }
    type HttpHeaderEntry { header: String! value: String! }
    enum S3ActionEventOutputFormat { NDJSON CSV }
    type PackageInstallation { id: VersionedPackageSpecifier! installedBy: UserAndTimestamp!
      updatedBy: UserAndTimestamp! source: PackageInstallationSourceType! availableUpdate: PackageVersion }
    type UserAndTimestamp { username: String! timestamp: DateTime! }
    enum PackageInstallationSourceType { HumioHub ZipFile LogScaleAssetResolutionService }
    scalar VersionedPackageSpecifier
    scalar PackageVersion
    interface ClusterConnection { ${CONNECTION} }
    type LocalClusterConnection implements ClusterConnection { ${CONNECTION} targetViewName: RepoOrViewName! }
    type RemoteClusterConnection implements ClusterConnection { ${CONNECTION} publicUrl: String! }
    type ClusterConnectionTag { key: String! value: String! }
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
      const [what] = ABSENT.find(([, operations]) => operations.test(nodes.name.value)) ?? [];
      if (what !== undefined) return new GraphQLError(absence(what), { nodes });
    }
  }
  return undefined;
}

function fail(what: string): never {
  throw new ResourceError('missing', absence(what));
}
