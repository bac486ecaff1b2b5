import type { SavedParser } from '../registries/parsers.ts';
import type { GraphqlArea, Optional } from './area.ts';
import { type AnyParser, idOf } from './known-parsers.ts';
import { createParser, type ParserUpdate, removeParser, updateParser } from './parser-changes.ts';

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

interface UpdateArguments {
  readonly input: ParserUpdate;
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

    extend type Mutation {
      createParserV2(input: CreateParserInputV2!): Parser!
      updateParserV2(input: UpdateParserInputV2!): Parser!
      deleteParser(input: DeleteParserInput!): BooleanResultType!
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
      updateParserV2: (_: unknown, { input }: UpdateArguments, context) => updateParser(context, input),
      deleteParser: (_: unknown, { input: { repositoryName, id } }: DeleteArguments, context) => {
        removeParser(context, repositoryName, id);
        return { result: true };
      },
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

function isBuiltIn(parser: AnyParser): boolean {
  return !('id' in parser);
}

function scriptOf(parser: AnyParser): string {
  return 'script' in parser ? parser.script : '// Built into the local server.';
}

function tagsOf(parser: Partial<SavedParser>): readonly string[] {
  return parser.fieldsToTag ?? [];
}
