import { compileEventScript, QueryError } from '../../query-engine/index.ts';
import { QueryTextError } from '../../query-language/index.ts';
import { BUILT_IN_PARSERS, type BuiltInParser } from '../ingest/built-in-parsers.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { NewParser, ParserDetails, SavedParser } from '../registries/parsers.ts';
import { taken } from '../registries/registry.ts';
import { ResourceError } from '../registries/resource-error.ts';
import type { Repository } from '../repository.ts';
import {
  type GraphqlArea,
  type GraphqlContext,
  type Input,
  type Optional,
  requireRepository,
} from './area.ts';

type AnyParser = BuiltInParser | SavedParser;

interface CreateInput extends NewParser {
  readonly repositoryName: string;
  readonly allowOverwritingExistingParser?: Optional<boolean>;
}

interface LegacyCreateInput {
  readonly repositoryName: string;
  readonly name: string;
  readonly sourceCode: string;
  readonly testData?: Optional<readonly string[]>;
  readonly tagFields?: Optional<readonly string[]>;
  readonly force?: Optional<boolean>;
}

interface UpdateInput extends Omit<ParserDetails, 'script'> {
  readonly repositoryName: string;
  readonly id: string;
  readonly script?: Optional<{ readonly script: string }>;
}

interface ParserPlace {
  readonly repositoryName: string;
  readonly id: string;
}

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

    extend type Mutation {
      createParserV2(input: CreateParserInputV2!): Parser!
      updateParserV2(input: UpdateParserInputV2!): Parser!
      deleteParser(input: DeleteParserInput!): BooleanResultType!
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
      createParser(input: CreateParserInput!): CreateParserMutation!
      removeParser(input: RemoveParserInput!): RemoveParserMutation!
    }
  `,
  operations: {
    createParserV2: ({ input }: Input<CreateInput>, context) => {
      const { repositoryName, allowOverwritingExistingParser, name, script, testCases } = input;
      const { fieldsToTag, fieldsToBeRemovedBeforeParsing } = input;
      const details = { name, script, testCases, fieldsToTag, fieldsToBeRemovedBeforeParsing };
      return createParser(context, repositoryName, details, allowOverwritingExistingParser);
    },
    updateParserV2: ({ input: { repositoryName, id, script, ...details } }: Input<UpdateInput>, context) => {
      const repository = requireRepository(context, repositoryName);
      if (details.name != null) refuseBuiltInName(details.name);
      if (script != null) checkScript(context, repository, script.script);
      return parserNode(repository.parsers.update(id, { ...details, script: script?.script }));
    },
    deleteParser: ({ input }: Input<ParserPlace>, context) => {
      removeParser(context, input);
      return { result: true };
    },
    // Older clients create and remove parsers with these.
    createParser: ({ input }: Input<LegacyCreateInput>, context) => {
      const { name, sourceCode: script, repositoryName, tagFields, testData, force } = input;
      const details = { name, script, fieldsToTag: tagFields, testCases: testData };
      return { parser: createParser(context, repositoryName, details, force) };
    },
    removeParser: ({ input }: Input<ParserPlace>, context) => ({ parser: removeParser(context, input) }),
  },
};

export function listParsers({ parsers }: Repository): readonly AnyParser[] {
  return [...BUILT_IN_PARSERS, ...parsers.list()];
}

/** @throws ResourceError unless the repository has a parser with this name or ID */
export function requireParser(repository: Repository, nameOrId: string): AnyParser {
  const all = listParsers(repository);
  const parser = all.find((known) => [known.name, idOf(known)].includes(nameOrId));
  if (parser !== undefined) return parser;
  const names = all.map(({ name }) => name).join(', ');
  throw new ResourceError('missing', `There is no such parser. This server has: ${names}.`, {
    parser: 'not found',
  });
}

export function findParser(
  repository: Repository,
  { id, name }: { readonly id?: Optional<string>; readonly name?: Optional<string> },
) {
  const found = listParsers(repository).find((known) => known.name === name || idOf(known) === id);
  return found && parserNode(found);
}

export function parserNode(parser: AnyParser) {
  const script = 'script' in parser ? parser.script : '// Built into the local server.';
  const { fieldsToTag, testCases, ...saved }: Partial<SavedParser> = 'id' in parser ? parser : {};
  return {
    fieldsToBeRemovedBeforeParsing: [],
    ...saved,
    id: idOf(parser),
    name: parser.name,
    displayName: parser.name,
    description: parser.description,
    isBuiltIn: !('id' in parser),
    script,
    sourceCode: script,
    fieldsToTag: fieldsToTag ?? [],
    tagFields: fieldsToTag ?? [],
    testCases: testCases ?? [],
  };
}

/** Built-in parsers have no ID of their own. */
function idOf(parser: AnyParser): string {
  return 'id' in parser ? parser.id : `builtin-${parser.name}`;
}

function createParser(
  context: GraphqlContext,
  repositoryName: string,
  details: NewParser,
  overwrite: Optional<boolean>,
) {
  const repository = requireRepository(context, repositoryName);
  refuseBuiltInName(details.name);
  checkScript(context, repository, details.script);
  return parserNode(repository.parsers.create(details, { overwrite: overwrite === true }));
}

function removeParser(context: GraphqlContext, { repositoryName, id }: ParserPlace) {
  return parserNode(requireRepository(context, repositoryName).parsers.remove(id));
}

function refuseBuiltInName(name: string): void {
  if (BUILT_IN_PARSERS.every((parser) => parser.name !== name)) return;
  throw taken(`The name ${JSON.stringify(name)} is the name of a built-in parser.`);
}

/** @throws ResourceError for a script that can't run on a single event */
function checkScript(
  { searchDomains, referenceData }: GraphqlContext,
  repository: Repository,
  script: string,
): void {
  try {
    compileEventScript(script, repositoryLibrary(repository, searchDomains, referenceData), 1);
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const kind = error instanceof QueryError ? 'be run' : 'be parsed';
    throw new ResourceError('invalid', `The script can't ${kind}. ${error.message}.\n${error.excerpt}`, {
      script: 'invalid',
    });
  }
}
