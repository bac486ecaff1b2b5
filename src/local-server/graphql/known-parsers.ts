import { BUILT_IN_PARSERS, type BuiltInParser } from '../ingest/built-in-parsers.ts';
import type { SavedParser } from '../registries/parsers.ts';
import { ResourceError } from '../registries/resource-error.ts';
import type { Repository } from '../repository.ts';
import type { Optional } from './area.ts';

/** A parser of the server, or one that a user has written. */
export type AnyParser = BuiltInParser | SavedParser;

/** The `parsers` of a repository. */
export function listParsers({ parsers }: Repository): readonly AnyParser[] {
  return [...BUILT_IN_PARSERS, ...parsers.list()];
}

/** The `parser` of a repository, if there is one. */
export function findParser(
  repository: Repository,
  { id, name }: { readonly id?: Optional<string>; readonly name?: Optional<string> },
): AnyParser | undefined {
  return listParsers(repository).find((known) => known.name === name || idOf(known) === id);
}

/** @throws ResourceError unless the repository has a parser of this name or id. */
export function requireParser(repository: Repository, nameOrId: string): AnyParser {
  const all = listParsers(repository);
  const parser = all.find((known) => [known.name, idOf(known)].includes(nameOrId));
  if (parser !== undefined) return parser;
  const names = all.map(({ name }) => name).join(', ');
  throw new ResourceError('missing', `There is no such parser. This server has: ${names}.`, {
    parser: 'not found',
  });
}

/** Built-in parsers have no id of their own. */
export function idOf(parser: AnyParser): string {
  return 'id' in parser ? parser.id : `builtin-${parser.name}`;
}
