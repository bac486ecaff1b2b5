import type { ParserTestCaseInput } from '../../core/wire/parsers.ts';
import { compileEventScript, QueryError } from '../../engine/index.ts';
import { QueryTextError } from '../../language/index.ts';
import { BUILT_IN_PARSERS } from '../ingest/built-in-parsers.ts';
import { printParserTemplate, readParserTemplate, YamlError } from '../parser-tests/index.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { NewParser, ParserDetails, SavedParser } from '../registries/parsers.ts';
import { taken } from '../registries/registry.ts';
import { invalid, missing } from '../registries/resource-error.ts';
import type { Repository } from '../repository.ts';
import {
  type GraphqlArea,
  type GraphqlContext,
  type Input,
  type Optional,
  requireRepository,
  sameTypes,
} from './area.ts';
import { testCasesOf } from './parser-tests-area.ts';

/** The built-in parsers, as clients see them. */
const BUILT_IN: readonly SavedParser[] = BUILT_IN_PARSERS.map(({ name, description }) => ({
  id: `builtin-${name}`,
  name,
  description,
  script: '// Built into the local server.',
}));

interface CreateInput extends Omit<NewParser, 'testCases'> {
  readonly repositoryName: string;
  readonly testCases: readonly ParserTestCaseInput[];
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

interface TemplateInput {
  readonly viewName: string;
  readonly name: string;
  readonly yamlTemplate: string;
}

interface UpdateInput extends Omit<ParserDetails, 'script' | 'testCases'> {
  readonly repositoryName: string;
  readonly id: string;
  readonly testCases?: Optional<readonly ParserTestCaseInput[]>;
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
      testCases: [ParserTestCase!]!
      "The lines of the test cases."
      testData: [String!]!
      "The parser with its test cases."
      yamlTemplate: YAML!
    }

    input CreateParserInputV2 {
      name: String! script: String! testCases: [ParserTestCaseInput!]! repositoryName: RepoOrViewName!
      fieldsToTag: [String!]! fieldsToBeRemovedBeforeParsing: [String!]! allowOverwritingExistingParser: Boolean
      languageVersion: LanguageVersionInputType
    }

    input UpdateParserScriptInput { script: String! languageVersion: LanguageVersionInputType }

    input UpdateParserInputV2 {
      repositoryName: RepoOrViewName! id: String! name: String script: UpdateParserScriptInput
      testCases: [ParserTestCaseInput!] fieldsToTag: [String!] fieldsToBeRemovedBeforeParsing: [String!]
    }

    input CreateParserFromTemplateInput { name: String! viewName: RepoOrViewName! yamlTemplate: YAML! }
    input GenerateParserFromTemplateInput { yamlTemplate: YAML! }
    "A parser that was read from a template."
    type UnsavedParser {
      name: String! description: String script: String! fieldsToTag: [String!]!
      fieldsToBeRemovedBeforeParsing: [String!]! testCases: [ParserTestCase!]!
    }

    extend type Query {
      generateParserFromTemplate(input: GenerateParserFromTemplateInput!): UnsavedParser!
    }

    input CreateParserInput {
      name: String! repositoryName: String! sourceCode: String! testData: [String!] tagFields: [String!]
      force: Boolean
    }

    input DeleteParserInput { id: String! repositoryName: RepoOrViewName! }
    input RemoveParserInput { id: String! repositoryName: String! }
    ${sameTypes(['CreateParserMutation', 'RemoveParserMutation'], 'parser: Parser!')}

    extend type Mutation {
      createParserV2(input: CreateParserInputV2!): Parser!
      createParserFromTemplate(input: CreateParserFromTemplateInput!): Parser!
      updateParserV2(input: UpdateParserInputV2!): Parser!
      deleteParser(input: DeleteParserInput!): BooleanResultType!
      createParser(input: CreateParserInput!): CreateParserMutation!
      removeParser(input: RemoveParserInput!): RemoveParserMutation!
    }
  `,
  operations: {
    createParserV2: ({ input }: Input<CreateInput>, context) => {
      const { repositoryName, allowOverwritingExistingParser, name, script } = input;
      const { fieldsToTag, fieldsToBeRemovedBeforeParsing } = input;
      const testCases = testCasesOf(input.testCases);
      const details = { name, script, testCases, fieldsToTag, fieldsToBeRemovedBeforeParsing };
      return createParser(context, repositoryName, details, allowOverwritingExistingParser);
    },
    createParserFromTemplate: ({ input: { viewName, name, yamlTemplate } }: Input<TemplateInput>, context) =>
      createParser(context, viewName, { ...unsavedParser(yamlTemplate), name }, false),
    generateParserFromTemplate: ({ input: { yamlTemplate } }: Input<Pick<TemplateInput, 'yamlTemplate'>>) =>
      unsavedParser(yamlTemplate),
    updateParserV2: ({ input: { repositoryName, id, script, ...details } }: Input<UpdateInput>, context) => {
      const repository = requireRepository(context, repositoryName);
      if (details.name != null) refuseBuiltInName(details.name);
      if (script != null) checkScript(context, repository, script.script);
      const testCases = details.testCases && testCasesOf(details.testCases);
      return parserNode(repository.parsers.update(id, { ...details, testCases, script: script?.script }));
    },
    deleteParser: ({ input }: Input<ParserPlace>, context) => {
      removeParser(context, input);
      return { result: true };
    },
    // Older clients create and delete parsers with these.
    createParser: ({ input }: Input<LegacyCreateInput>, context) => {
      const { name, sourceCode: script, repositoryName, tagFields, testData, force } = input;
      const testCases = testCasesOf((testData ?? []).map((rawString) => ({ event: { rawString } })));
      const details = { name, script, fieldsToTag: tagFields, testCases };
      return { parser: createParser(context, repositoryName, details, force) };
    },
    removeParser: ({ input }: Input<ParserPlace>, context) => ({ parser: removeParser(context, input) }),
  },
};

export function listParsers({ parsers }: Repository): readonly SavedParser[] {
  return [...BUILT_IN, ...parsers.list()];
}

/** @throws ResourceError unless the repository has a parser with this name or ID */
export function requireParser(repository: Repository, nameOrId: string): SavedParser {
  const all = listParsers(repository);
  const parser = all.find(({ name, id }) => [name, id].includes(nameOrId));
  if (parser !== undefined) return parser;
  const names = all.map(({ name }) => name).join(', ');
  throw missing(`There is no such parser. This server has: ${names}.`, 'parser');
}

export function findParser(
  repository: Repository,
  { id, name }: { readonly id?: Optional<string>; readonly name?: Optional<string> },
) {
  const parser = listParsers(repository).find((known) => known.name === name || known.id === id);
  return parser && parserNode(parser);
}

export function parserNode(parser: SavedParser) {
  const template = {
    ...parser,
    description: parser.description ?? undefined,
    fieldsToTag: parser.fieldsToTag ?? [],
    fieldsToBeRemovedBeforeParsing: parser.fieldsToBeRemovedBeforeParsing ?? [],
    testCases: parser.testCases ?? [],
  };
  return {
    ...template,
    displayName: parser.name,
    isBuiltIn: BUILT_IN.includes(parser),
    sourceCode: parser.script,
    tagFields: template.fieldsToTag,
    testData: template.testCases.map(({ event }) => event.rawString),
    yamlTemplate: () => printParserTemplate(template),
  };
}

/** @throws ResourceError if the text is not a parser template */
function unsavedParser(yamlTemplate: string) {
  try {
    const { testCaseLines: _, ...template } = readParserTemplate(yamlTemplate);
    return template;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const message = `The template is invalid. Line ${error.line}: ${error.message}`;
    throw invalid(message, 'yamlTemplate');
  }
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
  if (BUILT_IN.every((parser) => parser.name !== name)) return;
  throw taken(`The name ${JSON.stringify(name)} is the name of a built-in parser.`);
}

/** @throws ResourceError for a script that can't run on a single event */
function checkScript({ searchDomains }: GraphqlContext, repository: Repository, script: string): void {
  try {
    compileEventScript(script, repositoryLibrary(repository, searchDomains), 1);
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error;
    const kind = error instanceof QueryError ? 'be run' : 'be parsed';
    throw invalid(`The script can't ${kind}. ${error.message}.\n${error.excerpt}`, 'script');
  }
}
