import { compileEventScript, QueryError } from '../../query-engine/index.ts';
import { QueryTextError } from '../../query-language/index.ts';
import { BUILT_IN_PARSERS } from '../ingest/built-in-parsers.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { ParserDetails, SavedParser } from '../registries/parsers.ts';
import { ResourceError } from '../registries/resource-error.ts';
import type { Repository } from '../repository.ts';
import { type GraphqlContext, given, type Optional } from './area.ts';
import { requireRepository } from './require-repository.ts';

/** What a parser is to become; what is left out stays. */
export interface ParserUpdate {
  readonly repositoryName: string;
  readonly id: string;
  readonly name?: Optional<string>;
  readonly script?: Optional<{ readonly script: string }>;
  readonly testCases?: Optional<readonly unknown[]>;
  readonly fieldsToTag?: Optional<readonly string[]>;
  readonly fieldsToBeRemovedBeforeParsing?: Optional<readonly string[]>;
}

/** @throws ResourceError for a name that is taken, or a script that can't run. */
export function createParser(
  context: GraphqlContext,
  repositoryName: string,
  details: ParserDetails & { readonly name: string; readonly script: string },
  overwrite: boolean,
): SavedParser {
  const repository = requireRepository(context, repositoryName);
  refuseBuiltInName(details.name);
  checkScript(context, repository, details.script);
  return repository.parsers.create(details, { overwrite });
}

/** @throws ResourceError for a parser that is not there, a name that is taken, or a script that can't run. */
export function updateParser(
  context: GraphqlContext,
  { repositoryName, id, ...changes }: ParserUpdate,
): SavedParser {
  const repository = requireRepository(context, repositoryName);
  const name = given(changes.name);
  const script = given(changes.script)?.script;
  if (name !== undefined) refuseBuiltInName(name);
  if (script !== undefined) checkScript(context, repository, script);
  return repository.parsers.update(id, {
    name,
    script,
    testCases: given(changes.testCases),
    fieldsToTag: given(changes.fieldsToTag),
    fieldsToBeRemovedBeforeParsing: given(changes.fieldsToBeRemovedBeforeParsing),
  });
}

/** @throws ResourceError for a parser that is not there. */
export function removeParser(context: GraphqlContext, repositoryName: string, id: string): SavedParser {
  return requireRepository(context, repositoryName).parsers.remove(id);
}

function refuseBuiltInName(name: string): void {
  if (BUILT_IN_PARSERS.every((parser) => parser.name !== name)) return;
  throw new ResourceError('conflict', `The name ${JSON.stringify(name)} is the name of a built-in parser.`, {
    name: 'taken',
  });
}

/** @throws ResourceError for a script that can't run on a single event. */
function checkScript(
  { searchDomains, referenceData }: GraphqlContext,
  repository: Repository,
  script: string,
): void {
  try {
    const library = repositoryLibrary(repository, searchDomains, referenceData);
    compileEventScript(script, library, 1);
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const kind = error instanceof QueryError ? 'be run' : 'be parsed';
    throw new ResourceError('invalid', `The script can't ${kind}. ${error.message}.\n${error.excerpt}`, {
      script: 'invalid',
    });
  }
}
