import {
  buildSchema,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { GraphqlArea } from './area.ts';
import { filesArea } from './files.ts';
import { ingestTokensArea } from './ingest-tokens.ts';
import { legacyParsersArea } from './legacy-parsers.ts';
import { metaArea } from './meta.ts';
import { organizationsArea } from './organizations.ts';
import { parsersArea } from './parsers.ts';
import { queryToolsArea } from './query-tools.ts';
import { repositoriesArea } from './repositories.ts';
import { retentionArea } from './retention.ts';
import { savedQueriesArea } from './saved-queries.ts';
import { usersArea } from './users.ts';
import { viewsArea } from './views.ts';

const AREAS: readonly GraphqlArea[] = [
  metaArea,
  filesArea,
  usersArea,
  savedQueriesArea,
  repositoriesArea,
  retentionArea,
  viewsArea,
  parsersArea,
  legacyParsersArea,
  ingestTokensArea,
  organizationsArea,
  queryToolsArea,
];

const MAX_JSON_DEPTH = 100;

let built: GraphQLSchema | undefined;

/** The schema of all areas with their resolvers. It knows no server, so one is enough for a process. */
export function graphqlSchema(): GraphQLSchema {
  built ??= build();
  return built;
}

function build(): GraphQLSchema {
  const schema = buildSchema(AREAS.map(({ typeDefs }) => typeDefs).join('\n'));
  for (const { resolvers } of AREAS) {
    for (const [typeName, fields] of Object.entries(resolvers)) {
      for (const [fieldName, resolver] of Object.entries(fields))
        attach(schema, typeName, fieldName, resolver);
    }
  }
  checkLongs(scalar(schema, 'Long'));
  limitJson(scalar(schema, 'JSON'));
  return schema;
}

function attach(schema: GraphQLSchema, typeName: string, fieldName: string, resolver: unknown): void {
  const type = schema.getType(typeName);
  if (isAbstractType(type) && fieldName === '__resolveType') {
    type.resolveType = resolver as NonNullable<typeof type.resolveType>;
    return;
  }
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (field === undefined) throw new Error(`The schema has no field ${typeName}.${fieldName}.`);
  field.resolve = resolver as NonNullable<typeof field.resolve>;
}

/** A scalar from a schema's text takes any value; a `Long` that is no number would go unnoticed. */
function checkLongs(long: GraphQLScalarType): void {
  long.parseValue = (value) => {
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    throw new GraphQLError('Long must be a whole number.');
  };
}

/** Whoever writes a value down again needs a level of the stack for each level of it. */
function limitJson(json: GraphQLScalarType): void {
  json.parseValue = (value) => {
    if (!isDeeperThan(MAX_JSON_DEPTH, value)) return value;
    throw new GraphQLError(`JSON may be nested up to ${MAX_JSON_DEPTH} levels deep.`);
  };
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

function scalar(schema: GraphQLSchema, name: string): GraphQLScalarType {
  const type = schema.getType(name);
  if (isScalarType(type)) return type;
  throw new Error(`The schema has no scalar ${name}.`);
}
