import type { Repository } from '../repository.ts';
import type { GraphqlArea, Optional } from './area.ts';
import { requireRepository } from './require-repository.ts';

interface UpdateArguments {
  readonly repositoryName: string;
  readonly timeBasedRetention?: Optional<number>;
  readonly ingestSizeBasedRetention?: Optional<number>;
  readonly storageSizeBasedRetention?: Optional<number>;
}

/** How long repositories keep their events. An argument that is left out changes nothing, null takes a limit away. */
export const retentionArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type UpdateRetentionMutation {
      repository: SearchDomain!
    }

    extend type Mutation {
      updateRetention(
        repositoryName: String!
        "Days."
        timeBasedRetention: Float
        "GiB."
        ingestSizeBasedRetention: Float
        "GiB."
        storageSizeBasedRetention: Float
      ): UpdateRetentionMutation!
    }
  `,
  resolvers: {
    Mutation: {
      updateRetention: (_: unknown, { repositoryName, ...limits }: UpdateArguments, context) => {
        const repository = requireRepository(context, repositoryName);
        repository.retention.set(limits);
        repository.expire();
        return { repository };
      },
    },
    Repository: {
      timeBasedRetention: ({ retention }: Repository) => retention.limits.timeBasedRetention,
      ingestSizeBasedRetention: ({ retention }: Repository) => retention.limits.ingestSizeBasedRetention,
      storageSizeBasedRetention: ({ retention }: Repository) => retention.limits.storageSizeBasedRetention,
    },
  },
};
