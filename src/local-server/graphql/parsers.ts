import { compileEventScript, QueryError } from '../../query-engine/index.ts';
import { QueryTextError } from '../../query-language/index.ts';
import { compileWithin } from '../compile-limit.ts';
import { BUILT_IN_PARSERS, type BuiltInParser } from '../ingest/built-in-parsers.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { ParserDetails, SavedParser } from '../registries/parsers.ts';
import { ResourceError } from '../registries/resource-error.ts';
import type { Repository } from '../repository.ts';
import { type GraphqlArea, type GraphqlContext, given, type Optional } from './area.ts';
import { requireRepository } from './require-repository.ts';

type AnyParser = BuiltInParser | SavedParser;

interface CreateArguments {
  readonly input: {
    readonly repositoryName: string;
    readonly name: string;
    readonly script: string;
    readonly testCases: readonly unknown[];
    readonly fieldsToTag: readonly string[];
    readonly fieldsToBeRemovedBeforeParsing: readonly string[];
    readonly allowOverwritingExistingParser?: Optional<boolean>;
  };
}

interface LegacyCreateArguments {
  readonly input: {
    readonly repositoryName: string;
    readonly name: string;
    readonly sourceCode: string;
    readonly testData?: Optional<readonly string[]>;
    readonly tagFields?: Optional<readonly string[]>;
    readonly force?: Optional<boolean>;
  };
}

interface UpdateArguments {
  readonly input: {
    readonly repositoryName: string;
    readonly id: string;
    readonly name?: Optional<string>;
    readonly script?: Optional<{ readonly script: string }>;
    readonly testCases?: Optional<readonly unknown[]>;
    readonly fieldsToTag?: Optional<readonly string[]>;
    readonly fieldsToBeRemovedBeforeParsing?: Optional<readonly string[]>;
  };
}

interface DeleteArguments {
  readonly input: { readonly repositoryName: string; readonly id: string };
}

/** Parsers: the built-in ones, to look at and to use, and those that users write in the query language. */
export const parsersArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type Parser {
      id: String!
      name: String!
      displayName: String!
      description: String
      isBuiltIn: Boolean!
      script: String!
      "The old name of the script."
      sourceCode: String!
      fieldsToTag: [String!]!
      "The old name of fieldsToTag."
      tagFields: [String!]!
      fieldsToBeRemovedBeforeParsing: [String!]!
      testCases: [JSON!]!
    }

    input CreateParserInputV2 {
      name: String!
      script: String!
      testCases: [JSON!]!
      repositoryName: RepoOrViewName!
      fieldsToTag: [String!]!
      fieldsToBeRemovedBeforeParsing: [String!]!
      allowOverwritingExistingParser: Boolean
      languageVersion: JSON
    }

    input UpdateParserScriptInput {
      script: String!
      languageVersion: JSON
    }

    input UpdateParserInputV2 {
      repositoryName: RepoOrViewName!
      id: String!
      name: String
      script: UpdateParserScriptInput
      testCases: [JSON!]
      fieldsToTag: [String!]
      fieldsToBeRemovedBeforeParsing: [String!]
    }

    input DeleteParserInput {
      id: String!
      repositoryName: RepoOrViewName!
    }

    input CreateParserInput {
      name: String!
      repositoryName: String!
      sourceCode: String!
      testData: [String!]
      tagFields: [String!]
      force: Boolean
    }

    input RemoveParserInput {
      id: String!
      repositoryName: String!
    }

    type CreateParserMutation {
      parser: Parser!
    }

    type RemoveParserMutation {
      parser: Parser!
    }

    extend type Mutation {
      createParserV2(input: CreateParserInputV2!): Parser!
      updateParserV2(input: UpdateParserInputV2!): Parser!
      deleteParser(input: DeleteParserInput!): BooleanResultType!
      createParser(input: CreateParserInput!): CreateParserMutation!
      removeParser(input: RemoveParserInput!): RemoveParserMutation!
    }
  `,
  resolvers: {
    Mutation: {
      createParserV2: (_: unknown, { input }: CreateArguments, context) => {
        const { repositoryName, allowOverwritingExistingParser, name, script, testCases } = input;
        const { fieldsToTag, fieldsToBeRemovedBeforeParsing } = input;
        const details = { name, script, testCases, fieldsToTag, fieldsToBeRemovedBeforeParsing };
        return createParser(context, repositoryName, details, allowOverwritingExistingParser === true);
      },
      createParser: (_: unknown, { input }: LegacyCreateArguments, context) => {
        const { name, sourceCode: script, repositoryName, tagFields, testData, force } = input;
        const details = { name, script, fieldsToTag: given(tagFields), testCases: given(testData) };
        return { parser: createParser(context, repositoryName, details, force === true) };
      },
      updateParserV2: (_: unknown, { input }: UpdateArguments, context) => updateParser(context, input),
      deleteParser: (_: unknown, { input: { repositoryName, id } }: DeleteArguments, context) => {
        removeParser(context, repositoryName, id);
        return { result: true };
      },
      removeParser: (_: unknown, { input: { repositoryName, id } }: DeleteArguments, context) => ({
        parser: removeParser(context, repositoryName, id),
      }),
    },
    Parser: {
      id: idOf,
      displayName: ({ name }: AnyParser) => name,
      isBuiltIn: isBuiltIn,
      script: scriptOf,
      sourceCode: scriptOf,
      fieldsToTag: tagsOf,
      tagFields: tagsOf,
      fieldsToBeRemovedBeforeParsing: (parser: Partial<SavedParser>) =>
        parser.fieldsToBeRemovedBeforeParsing ?? [],
      testCases: (parser: Partial<SavedParser>) => parser.testCases ?? [],
    },
  },
};

/** The `parsers` of a repository. */
export function listParsers({ parsers }: Repository): readonly AnyParser[] {
  return [...BUILT_IN_PARSERS, ...parsers.list()];
}

/** The `parser` of a repository. */
export function findParser(
  repository: Repository,
  { id, name }: { readonly id?: Optional<string>; readonly name?: Optional<string> },
): AnyParser {
  return requireParser(repository, id ?? name ?? '');
}

/** @throws ResourceError unless the repository has a parser of this name or id. */
export function requireParser(repository: Repository, nameOrId: string): AnyParser {
  const all = listParsers(repository);
  const parser = all.find((known) => [known.name, idOf(known)].includes(nameOrId));
  if (parser !== undefined) return parser;
  const names = all.map(({ name }) => name).join(', ');
  throw new ResourceError('missing', `There is no such parser. This server has ${names}.`, {
    parser: 'not found',
  });
}

function createParser(
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

function updateParser(
  context: GraphqlContext,
  { repositoryName, id, ...changes }: UpdateArguments['input'],
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

function removeParser(context: GraphqlContext, repositoryName: string, id: string): SavedParser {
  return requireRepository(context, repositoryName).parsers.remove(id);
}

function refuseBuiltInName(name: string): void {
  if (BUILT_IN_PARSERS.every((parser) => parser.name !== name)) return;
  throw new ResourceError('conflict', `The name ${JSON.stringify(name)} belongs to a built-in parser.`, {
    name: 'taken',
  });
}

/** @throws ResourceError for a script that can't run on a single event. */
function checkScript(
  { repositories, referenceData }: GraphqlContext,
  repository: Repository,
  script: string,
): void {
  try {
    const library = repositoryLibrary(repository, repositories, referenceData);
    compileWithin(script, () => compileEventScript(script, library, { maxEvents: 1, timeoutMs: 1 }));
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const kind = error instanceof QueryError ? 'be run' : 'be parsed';
    throw new ResourceError('invalid', `The script can't ${kind}. ${error.message}.\n${error.excerpt}`, {
      script: 'invalid',
    });
  }
}

function isBuiltIn(parser: AnyParser): boolean {
  return !('id' in parser);
}

function idOf(parser: AnyParser): string {
  return 'id' in parser ? parser.id : `builtin-${parser.name}`;
}

function scriptOf(parser: AnyParser): string {
  return 'script' in parser ? parser.script : '// Built into the local server.';
}

function tagsOf(parser: Partial<SavedParser>): readonly string[] {
  return parser.fieldsToTag ?? [];
}
