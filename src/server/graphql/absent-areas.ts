import {
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { missing } from '../registries/resource-error.ts';

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
const FIELDS: readonly (readonly [what: string, list: string, item?: string])[] = [
  ['aggregate alerts', 'aggregateAlerts', 'aggregateAlert'],
  ['filter alerts', 'filterAlerts', 'filterAlert'],
  ['scheduled searches', 'scheduledSearches', 'scheduledSearch'],
  ['alerts', 'alerts', 'alert'],
  ['actions', 'actions', 'action'],
  ['packages', 'installedPackages'],
  ['multi-cluster views', 'clusterConnections'],
];
const NAMES = new Set(FIELDS.flatMap(([, ...names]) => names));

export const ABSENT_FIELDS = FIELDS.map(([, list, item]) =>
  item === undefined
    ? `${list}: [Absent!]!`
    : `${list}: [Absent!]! ${item}(id: String, name: String): Absent!`,
).join('\n');

/** The values of {@link ABSENT_FIELDS}. */
export const absentFields: Readonly<Record<string, unknown>> = Object.fromEntries(
  FIELDS.flatMap(([what, list, item]) => [
    [list, []],
    ...(item === undefined ? [] : [[item, () => fail(what)]]),
  ]),
);

const TYPE_NAME: SelectionSetNode = {
  kind: Kind.SELECTION_SET,
  selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
};

/** A document without what it selects of {@link ABSENT_FIELDS}: that has no effect, and the schema has no types for it. */
export function withoutAbsent(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const { definitions } = visit(document, {
    Field: (node) => (NAMES.has(node.name.value) ? { ...node, selectionSet: TYPE_NAME } : undefined),
  });
  const isKnown = (definition: DefinitionNode): boolean =>
    definition.kind !== Kind.FRAGMENT_DEFINITION ||
    schema.getType(definition.typeCondition.name.value) !== undefined;
  return { ...document, definitions: definitions.filter(isKnown) };
}

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
  throw missing(absence(what));
}
