import { ResourceError } from '../registries/resource-error.ts';
import { checkRetention, retentionOf } from '../registries/retention.ts';
import type { Repository } from '../repository.ts';
import { type GraphqlArea, type GraphqlContext, given, type Optional } from './area.ts';
import { findParser, listParsers } from './known-parsers.ts';
import { requireRepository, requireSearchDomain } from './require-repository.ts';
import {
  checkNewName,
  SEARCH_DOMAIN_FIELDS,
  searchDomainResolvers,
  typeOfSearchDomain,
} from './search-domain-fields.ts';

interface NameArguments {
  readonly name: string;
}

interface CreateArguments extends NameArguments {
  readonly description?: Optional<string>;
  readonly retentionInMillis?: Optional<number>;
  readonly retentionInIngestSizeBytes?: Optional<number>;
  readonly retentionInStorageSizeBytes?: Optional<number>;
}

interface DescriptionArguments extends NameArguments {
  readonly newDescription: string;
}

/** Repositories, and what they have in common with views: "search domain" is the service's word for either. */
export const repositoriesArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    interface SearchDomain {
      ${SEARCH_DOMAIN_FIELDS}
    }

    type Repository implements SearchDomain {
      ${SEARCH_DOMAIN_FIELDS}
      "Days; null keeps events until there is no room for them."
      timeBasedRetention: Float
      "GiB."
      ingestSizeBasedRetention: Float
      "GiB."
      storageSizeBasedRetention: Float
      compressedByteSize: Long!
      uncompressedByteSize: Long!
      s3ArchivingConfiguration: S3Configuration
      ingestTokens: [IngestToken!]!
      parsers: [Parser!]!
      parser(id: String, name: String): Parser
    }

    "The local server archives nothing; the type is there for queries that select it."
    type S3Configuration {
      bucket: String!
      region: String!
      disabled: Boolean
      format: String
    }

    type CreateRepositoryMutation {
      repository: Repository!
    }

    type UpdateDescriptionMutation {
      description: String!
    }

    type DeleteSearchDomainMutation {
      result: Boolean!
    }

    extend type Query {
      repositories: [Repository!]!
      repository(name: String!): Repository!
      searchDomains: [SearchDomain!]!
      searchDomain(name: String!): SearchDomain!
    }

    extend type Mutation {
      createRepository(
        name: String!
        description: String
        retentionInMillis: Long
        retentionInIngestSizeBytes: Long
        retentionInStorageSizeBytes: Long
      ): CreateRepositoryMutation!
      updateDescriptionForSearchDomain(name: String!, newDescription: String!): UpdateDescriptionMutation!
      deleteSearchDomain(name: String!, deleteMessage: String): DeleteSearchDomainMutation!
    }
  `,
  resolvers: {
    Query: {
      repositories: (_: unknown, __: unknown, { repositories }) => repositories.list(),
      repository: (_: unknown, { name }: NameArguments, context) => requireRepository(context, name),
      searchDomains: (_: unknown, __: unknown, { searchDomains }) => searchDomains.list(),
      searchDomain: (_: unknown, { name }: NameArguments, context) => requireSearchDomain(context, name),
    },
    Mutation: {
      createRepository: (_: unknown, args: CreateArguments, context) => ({
        repository: createRepository(context, args),
      }),
      updateDescriptionForSearchDomain: (
        _: unknown,
        { name, newDescription }: DescriptionArguments,
        context,
      ) => {
        context.descriptions.set(requireSearchDomain(context, name).name, newDescription);
        return { description: newDescription };
      },
      deleteSearchDomain: (_: unknown, { name }: NameArguments, context) => ({
        result: deleteSearchDomain(context, name),
      }),
    },
    SearchDomain: { __resolveType: typeOfSearchDomain },
    Repository: {
      ...searchDomainResolvers,
      compressedByteSize: ({ store }: Repository) => store.bytes,
      uncompressedByteSize: ({ store }: Repository) => store.bytes,
      ingestTokens: ({ ingestTokens }: Repository) => ingestTokens.list(),
      parsers: listParsers,
      parser: findParser,
    },
  },
};

function createRepository(context: GraphqlContext, args: CreateArguments): Repository {
  const { name, description } = args;
  checkNewName(context, name);
  const retention = retentionOf({
    ageMs: given(args.retentionInMillis),
    ingestBytes: given(args.retentionInIngestSizeBytes),
    storageBytes: given(args.retentionInStorageSizeBytes),
  });
  checkRetention(retention);
  const repository = context.repositories.create(name, retention);
  if (given(description) !== undefined) context.descriptions.set(name, given(description));
  // As on the service, a new repository can be written to at once.
  repository.ingestTokens.add({ name: 'default' });
  return repository;
}

function deleteSearchDomain(context: GraphqlContext, name: string): boolean {
  const { repositories, searchDomains, descriptions } = context;
  requireSearchDomain(context, name);
  if (searchDomains.views.isBuiltIn(name)) {
    throw new ResourceError('forbidden', `The view ${name} is built in.`);
  }
  descriptions.set(name, undefined);
  return repositories.delete(name) || searchDomains.views.delete(name);
}
