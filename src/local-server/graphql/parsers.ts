import { PARSER_NAMES } from '../ingest/parsers.ts';
import { ResourceError } from '../resource-error.ts';
import type { GraphqlArea, Optional } from './area.ts';

/** A parser that is built in; the local server has no others. */
export interface BuiltInParser {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  accesslog: 'Lines of a web server in the common or combined format.',
  json: 'One JSON object for each event.',
  kv: 'Text with key=value pairs in it.',
};

const BUILT_IN_PARSERS: readonly BuiltInParser[] = [...PARSER_NAMES]
  .sort()
  .map((name) => ({ id: `builtin-${name}`, name, description: DESCRIPTIONS[name] }));

/** Parsers, to look at. */
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
  const parser = BUILT_IN_PARSERS.find(({ id, name }) => id === nameOrId || name === nameOrId);
  if (parser !== undefined) return parser;
  const names = BUILT_IN_PARSERS.map(({ name }) => name).join(', ');
  throw new ResourceError('missing', `There is no such parser. This server has ${names}.`, {
    parser: 'not found',
  });
}
