import { buildSchema, GraphQLError, type GraphQLScalarType, type GraphQLSchema } from 'graphql';
import type { GraphqlArea, Operation } from './area.ts';
import { filesArea } from './files.ts';
import { ingestTokensArea } from './ingest-tokens.ts';
import { metaArea } from './meta.ts';
import { organizationsArea } from './organizations.ts';
import { parserTestsArea } from './parser-tests.ts';
import { parsersArea } from './parsers.ts';
import { queryAnalysisArea } from './query-analysis.ts';
import { redactionArea } from './redaction.ts';
import { savedQueriesArea } from './saved-queries.ts';
import { searchDomainsArea } from './search-domains.ts';
import { usersArea } from './users.ts';

const AREAS: readonly GraphqlArea[] = [
  metaArea,
  queryAnalysisArea,
  filesArea,
  usersArea,
  savedQueriesArea,
  searchDomainsArea,
  parsersArea,
  parserTestsArea,
  ingestTokensArea,
  organizationsArea,
  redactionArea,
];

const MAX_JSON_DEPTH = 100;

export const operations: Readonly<Record<string, Operation>> = Object.assign(
  {},
  ...AREAS.map((area) => area.operations),
);

let schema: GraphQLSchema | undefined;

/** The schema of all areas. It knows no server, so one is enough for a process. */
export function graphqlSchema(): GraphQLSchema {
  schema ??= withScalars(buildSchema(AREAS.map(({ typeDefs }) => typeDefs).join('\n')));
  return schema;
}

/** A scalar of a schema in text accepts any value. */
function withScalars(built: GraphQLSchema): GraphQLSchema {
  const { Long: long, JSON: json } = built.getTypeMap() as Record<string, GraphQLScalarType>;
  long!.parseValue = (value) => {
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    throw new GraphQLError('Long must be a whole number.');
  };
  // Writing a value takes a level of the stack for each of its levels.
  json!.parseValue = (value) => {
    if (!isDeeperThan(MAX_JSON_DEPTH, value)) return value;
    throw new GraphQLError(`JSON may be nested up to ${MAX_JSON_DEPTH} levels deep.`);
  };
  return built;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}
