import type { IngestToken } from '../registries/ingest-tokens.ts';
import { ResourceError } from '../registries/resource-error.ts';
import { type GraphqlArea, type GraphqlContext, given, type Optional } from './area.ts';
import { listParsers, requireParser } from './known-parsers.ts';
import { requireRepository } from './require-repository.ts';

interface AddArguments {
  readonly input: {
    readonly repositoryName: string;
    readonly name: string;
    readonly parser?: Optional<string>;
    readonly customToken?: Optional<string>;
  };
}

interface AssignArguments {
  readonly input: { readonly repositoryName: string; readonly tokenName: string; readonly parser: string };
}

interface UnassignArguments {
  readonly repositoryName: string;
  readonly tokenName: string;
}

interface RemoveArguments {
  readonly repositoryName: string;
  readonly name: string;
}

/** Tokens that may only ingest. */
export const ingestTokensArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type IngestToken {
      name: String!
      token: String!
      parser: Parser
    }

    input AddIngestTokenV3Input {
      repositoryName: String!
      name: String!
      "The name or the id of a parser."
      parser: String
      customToken: String
    }

    input AssignParserToIngestTokenInputV2 {
      repositoryName: String!
      tokenName: String!
      parser: String!
    }

    type UnassignIngestTokenMutation {
      repository: Repository!
    }

    extend type Mutation {
      addIngestTokenV3(input: AddIngestTokenV3Input!): IngestToken!
      assignParserToIngestTokenV2(input: AssignParserToIngestTokenInputV2!): IngestToken!
      unassignIngestToken(repositoryName: String!, tokenName: String!): UnassignIngestTokenMutation!
      removeIngestToken(repositoryName: String!, name: String!): BooleanResultType!
    }
  `,
  resolvers: {
    Mutation: {
      addIngestTokenV3: (_: unknown, { input }: AddArguments, context) => {
        const parser = given(input.parser);
        const token = given(input.customToken);
        if (token !== undefined) refuseTakenToken(context, token);
        const repository = requireRepository(context, input.repositoryName);
        return repository.ingestTokens.add({
          name: input.name,
          token,
          parser: parser === undefined ? undefined : requireParser(repository, parser).name,
        });
      },
      assignParserToIngestTokenV2: (_: unknown, { input }: AssignArguments, context) => {
        const repository = requireRepository(context, input.repositoryName);
        return repository.ingestTokens.assignParser(
          input.tokenName,
          requireParser(repository, input.parser).name,
        );
      },
      unassignIngestToken: (_: unknown, { repositoryName, tokenName }: UnassignArguments, context) => {
        const repository = requireRepository(context, repositoryName);
        repository.ingestTokens.assignParser(tokenName, undefined);
        return { repository };
      },
      removeIngestToken: (_: unknown, { repositoryName, name }: RemoveArguments, context) => {
        requireRepository(context, repositoryName).ingestTokens.remove(name);
        return { result: true };
      },
    },
    IngestToken: {
      parser: ({ parser, token }: IngestToken, _: unknown, context) =>
        parser === undefined ? null : parserOf(context, token, parser),
    },
  },
};

/** The parser of a token, unless it has been deleted since. */
function parserOf({ repositories }: GraphqlContext, token: string, name: string): unknown {
  const repository = repositories.list().find(({ ingestTokens }) => ingestTokens.find(token) !== undefined);
  if (repository === undefined) return null;
  return listParsers(repository).find((parser) => parser.name === name) ?? null;
}

/** A token says which repository it writes to, so no two repositories may have the same. */
function refuseTakenToken({ repositories }: GraphqlContext, token: string): void {
  if (repositories.list().every(({ ingestTokens }) => ingestTokens.find(token) === undefined)) return;
  throw new ResourceError('conflict', 'This token is already in use.', { customToken: 'taken' });
}
