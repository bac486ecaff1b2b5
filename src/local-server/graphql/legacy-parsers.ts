import { type GraphqlArea, given, type Optional } from './area.ts';
import { createParser, removeParser } from './parser-changes.ts';

interface CreateArguments {
  readonly input: {
    readonly repositoryName: string;
    readonly name: string;
    readonly sourceCode: string;
    readonly testData?: Optional<readonly string[]>;
    readonly tagFields?: Optional<readonly string[]>;
    readonly force?: Optional<boolean>;
  };
}

interface RemoveArguments {
  readonly input: { readonly repositoryName: string; readonly id: string };
}

/** What older clients call to make and remove parsers. */
export const legacyParsersArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
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
  resolvers: {
    Mutation: {
      createParser: (_: unknown, { input }: CreateArguments, context) => {
        const { name, sourceCode: script, repositoryName, tagFields, testData, force } = input;
        const details = { name, script, fieldsToTag: given(tagFields), testCases: given(testData) };
        return { parser: createParser(context, repositoryName, details, force === true) };
      },
      removeParser: (_: unknown, { input: { repositoryName, id } }: RemoveArguments, context) => ({
        parser: removeParser(context, repositoryName, id),
      }),
    },
  },
};
