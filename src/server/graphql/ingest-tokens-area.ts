import { taken } from '../registries/registry.ts';
import { type GraphqlArea, type Input, type Optional, requireRepository } from './area.ts';
import { ingestTokenNode, repositoryNode } from './domain-nodes.ts';
import { requireParser } from './parsers-area.ts';

interface AddInput {
  readonly repositoryName: string;
  readonly name: string;
  readonly parser?: Optional<string>;
  readonly customToken?: Optional<string>;
}

interface AssignInput {
  readonly repositoryName: string;
  readonly tokenName: string;
  readonly parser: string;
}

export const ingestTokensArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type IngestToken { name: String! token: String! parser: Parser }

    input AddIngestTokenV3Input {
      repositoryName: String!
      name: String!
      "The name or the id of a parser."
      parser: String
      customToken: String
    }

    input AssignParserToIngestTokenInputV2 { repositoryName: String! tokenName: String! parser: String! }
    type UnassignIngestTokenMutation { repository: Repository! }

    extend type Mutation {
      addIngestTokenV3(input: AddIngestTokenV3Input!): IngestToken!
      assignParserToIngestTokenV2(input: AssignParserToIngestTokenInputV2!): IngestToken!
      unassignIngestToken(repositoryName: String!, tokenName: String!): UnassignIngestTokenMutation!
      removeIngestToken(repositoryName: String!, name: String!): BooleanResultType!
    }
  `,
  operations: {
    addIngestTokenV3: ({ input }: Input<AddInput>, context) => {
      const { name, parser } = input;
      const token = input.customToken ?? undefined;
      // A token selects the repository that it writes to.
      const isTaken = context.repositories
        .list()
        .some(({ ingestTokens }) => token !== undefined && ingestTokens.findBy('token', token) !== undefined);
      if (isTaken) throw taken('This token is already in use.', 'customToken');
      const repository = requireRepository(context, input.repositoryName);
      const parserName = parser == null ? undefined : requireParser(repository, parser).name;
      return ingestTokenNode(repository, repository.ingestTokens.add({ name, token, parser: parserName }));
    },
    assignParserToIngestTokenV2: ({ input }: Input<AssignInput>, context) => {
      const repository = requireRepository(context, input.repositoryName);
      const parser = requireParser(repository, input.parser);
      return ingestTokenNode(repository, repository.ingestTokens.assignParser(input.tokenName, parser.name));
    },
    unassignIngestToken: ({ repositoryName, tokenName }: Omit<AssignInput, 'parser'>, context) => {
      const repository = requireRepository(context, repositoryName);
      repository.ingestTokens.assignParser(tokenName, undefined);
      return { repository: repositoryNode(context, repository) };
    },
    removeIngestToken: ({ repositoryName, name }: AddInput, context) => {
      requireRepository(context, repositoryName).ingestTokens.remove(name);
      return { result: true };
    },
  },
};
