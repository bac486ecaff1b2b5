import { buildSchema, GraphQLError, type GraphQLScalarType, type GraphQLSchema } from 'graphql';
import type { GraphqlArea, Operation } from './area.ts';
import { clusterArea } from './cluster-area.ts';
import { filesArea } from './files-area.ts';
import { ingestTokensArea } from './ingest-tokens-area.ts';
import { metaArea } from './meta-area.ts';
import { organizationsArea } from './organizations-area.ts';
import { parserTestsArea } from './parser-tests-area.ts';
import { parsersArea } from './parsers-area.ts';
import { queryValidationArea } from './query-validation-area.ts';
import { redactionArea } from './redaction-area.ts';
import { savedQueriesArea } from './saved-queries-area.ts';
import { searchDomainsArea } from './search-domains-area.ts';
import { usersArea } from './users-area.ts';

const AREAS: readonly GraphqlArea[] = [
  metaArea,
  queryValidationArea,
  filesArea,
  usersArea,
  savedQueriesArea,
  searchDomainsArea,
  parsersArea,
  parserTestsArea,
  ingestTokensArea,
  organizationsArea,
  redactionArea,
  clusterArea,
];

export const operations: Readonly<Record<string, Operation>> = Object.assign(
  {},
  ...AREAS.map((area) => area.operations),
);

let schema: GraphQLSchema | undefined;

/** The schema of all areas, which all servers of a process share. */
export function graphqlSchema(): GraphQLSchema {
  schema ??= withScalars(buildSchema(AREAS.map(({ typeDefs }) => typeDefs).join('\n')));
  return schema;
}

/** Custom scalars of a schema in text accept any value. */
function withScalars(built: GraphQLSchema): GraphQLSchema {
  const { Long: long } = built.getTypeMap() as Record<string, GraphQLScalarType>;
  long!.parseValue = (value) => {
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    throw new GraphQLError('Long must be a whole number.');
  };
  return built;
}
