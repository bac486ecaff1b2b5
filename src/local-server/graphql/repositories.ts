import { createHash } from 'node:crypto';
import { ResourceError } from '../registries/resource-error.ts';
import { repositoryNameProblem } from '../repositories.ts';
import type { Repository } from '../repository.ts';
import { type GraphqlArea, type GraphqlContext, given, type Optional } from './area.ts';
import { listFiles, searchFile } from './files.ts';
import { findParser, listParsers } from './known-parsers.ts';
import { requireRepository } from './require-repository.ts';
import { findSavedQuery } from './saved-queries.ts';

interface NameArguments {
  readonly name: string;
}

interface CreateArguments extends NameArguments {
  readonly description?: Optional<string>;
}

interface DescriptionArguments extends NameArguments {
  readonly newDescription: string;
}

/** What a repository and a view have in common. */
const SEARCH_DOMAIN_FIELDS = /* GraphQL */ `
  id: String!
  name: String!
  description: String
  isStarred: Boolean!
  automaticSearch: Boolean!
  files: [File!]!
  fileFieldSearch(
    fileName: String!
    fieldName: String!
    prefixFilter: String
    valueFilters: [FileFieldFilterType!]!
    fieldsToInclude: [String!]!
    maxEntries: Int!
  ): [[DictionaryEntryType!]!]!
  savedQueries: [SavedQuery!]!
  savedQuery(id: String!): SavedQuery!
`;

/** Repositories; "search domain" is the service's word for a repository or a view, and there are no views here. */
export const repositoriesArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    interface SearchDomain {
      ${SEARCH_DOMAIN_FIELDS}
    }

    type Repository implements SearchDomain {
      ${SEARCH_DOMAIN_FIELDS}
      "Days; null keeps events until there is no room for them."
      timeBasedRetention: Float
      ingestSizeBasedRetention: Float
      storageSizeBasedRetention: Float
      compressedByteSize: Long!
      uncompressedByteSize: Long!
      s3ArchivingConfiguration: S3Configuration
      ingestTokens: [IngestToken!]!
      parsers: [Parser!]!
      parser(id: String, name: String): Parser
    }

    type ViewConnection {
      repository: Repository!
      filter: String!
    }

    "The local server has none; the type is there for queries that have a fragment on it."
    type View implements SearchDomain {
      ${SEARCH_DOMAIN_FIELDS}
      connections: [ViewConnection!]!
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
      createRepository(name: String!, description: String): CreateRepositoryMutation!
      updateDescriptionForSearchDomain(name: String!, newDescription: String!): UpdateDescriptionMutation!
      deleteSearchDomain(name: String!, deleteMessage: String): DeleteSearchDomainMutation!
    }
  `,
  resolvers: {
    Query: {
      repositories: (_: unknown, __: unknown, { repositories }) => repositories.list(),
      repository: (_: unknown, { name }: NameArguments, context) => requireRepository(context, name),
      searchDomains: (_: unknown, __: unknown, { repositories }) => repositories.list(),
      searchDomain: (_: unknown, { name }: NameArguments, context) => requireRepository(context, name),
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
        context.descriptions.set(requireRepository(context, name).name, newDescription);
        return { description: newDescription };
      },
      deleteSearchDomain: (_: unknown, { name }: NameArguments, context) => {
        requireRepository(context, name);
        context.descriptions.set(name, undefined);
        return { result: context.repositories.delete(name) };
      },
    },
    SearchDomain: { __resolveType: () => 'Repository' },
    Repository: {
      id: ({ name }: Repository) => createHash('sha256').update(name).digest('base64url').slice(0, 24),
      description: ({ name }: Repository, _: unknown, { descriptions }) => descriptions.get(name),
      isStarred: () => false,
      automaticSearch: () => true,
      compressedByteSize: ({ store }: Repository) => store.bytes,
      uncompressedByteSize: ({ store }: Repository) => store.bytes,
      ingestTokens: ({ ingestTokens }: Repository) => ingestTokens.list(),
      savedQueries: ({ savedQueries }: Repository) => savedQueries.list(),
      savedQuery: findSavedQuery,
      files: listFiles,
      fileFieldSearch: searchFile,
      parsers: listParsers,
      parser: findParser,
    },
  },
};

function createRepository(
  { repositories, descriptions }: GraphqlContext,
  { name, description }: CreateArguments,
): Repository {
  const problem = repositoryNameProblem(name);
  if (problem !== undefined) throw new ResourceError('invalid', problem, { name: 'invalid' });
  if (repositories.list().some((existing) => existing.name.toLowerCase() === name.toLowerCase())) {
    throw new ResourceError('conflict', `There already is a repository ${quoted(name)}.`, { name: 'taken' });
  }
  const repository = repositories.create(name);
  if (given(description) !== undefined) descriptions.set(name, given(description));
  // As on the service, a new repository can be written to at once.
  repository.ingestTokens.add({ name: 'default' });
  return repository;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
