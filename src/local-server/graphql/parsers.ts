import { BUILT_IN_PARSERS, type BuiltInParser } from '../ingest/parsers.ts';
import { ResourceError } from '../registries/resource-error.ts';
import type { GraphqlArea, Optional } from './area.ts';

/** Parsers, to look at: the local server has the built-in ones and no others. */
export const parsersArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type Parser {
      id: String!
      name: String!
      displayName: String!
      description: String
      isBuiltIn: Boolean!
    }
  `,
  resolvers: {
    Parser: {
      id: idOf,
      displayName: ({ name }: BuiltInParser) => name,
      isBuiltIn: () => true,
    },
  },
};

/** The `parsers` of a repository. */
export function listParsers(): readonly BuiltInParser[] {
  return BUILT_IN_PARSERS;
}

/** The `parser` of a repository. */
export function findParser(
  _: unknown,
  { id, name }: { readonly id?: Optional<string>; readonly name?: Optional<string> },
): BuiltInParser {
  return requireParser(id ?? name ?? '');
}

/** @throws ResourceError unless there is a parser of this name or id. */
export function requireParser(nameOrId: string): BuiltInParser {
  const parser = BUILT_IN_PARSERS.find((known) => [known.name, idOf(known)].includes(nameOrId));
  if (parser !== undefined) return parser;
  const names = BUILT_IN_PARSERS.map(({ name }) => name).join(', ');
  throw new ResourceError('missing', `There is no such parser. This server has ${names}.`, {
    parser: 'not found',
  });
}

function idOf({ name }: BuiltInParser): string {
  return `builtin-${name}`;
}
