import { DAY_MS } from '../../core/epoch.ts';
import { tryOr } from '../../core/try-or.ts';
import type { ViewConnection } from '../../core/wire/repositories.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import { taken } from '../registries/registry.ts';
import { invalid, missing, tooLarge } from '../registries/resource-error.ts';
import { checkRetention, GIB, type RetentionChanges } from '../registries/retention.ts';
import { repositoryNameProblem } from '../repositories.ts';
import { Repository } from '../repository.ts';
import { checkFilter } from '../views/event-filter.ts';
import { View } from '../views/view.ts';
import { ABSENT_FIELDS, absence } from './absent-areas.ts';
import {
  type GraphqlArea,
  type GraphqlContext,
  type Optional,
  requireRepository,
  requireSearchDomain,
} from './area.ts';
import { domainNode, repositoryNode, viewNode } from './domain-nodes.ts';

interface NameArguments {
  readonly name: string;
}

interface CreateArguments extends NameArguments {
  readonly description?: Optional<string>;
  readonly retentionInMillis?: Optional<number>;
  readonly retentionInIngestSizeBytes?: Optional<number>;
  readonly retentionInStorageSizeBytes?: Optional<number>;
}

interface CreateViewArguments extends NameArguments {
  readonly description?: Optional<string>;
  readonly connections?: Optional<readonly ViewConnection[]>;
  readonly isFederated?: Optional<boolean>;
  readonly federatedViews?: Optional<readonly string[]>;
}

interface UpdateViewArguments {
  readonly viewName: string;
  readonly connections: readonly ViewConnection[];
}

const MAX_CONNECTIONS = 1000;

const SEARCH_DOMAIN_FIELDS = /* GraphQL */ `
  id: String!
  name: RepoOrViewName!
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
  ${ABSENT_FIELDS}
`;

/** Repositories and views, which the service calls search domains. */
export const searchDomainsArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    "What the local server doesn't have. No value is of this type."
    type Absent { id: String }

    interface SearchDomain { ${SEARCH_DOMAIN_FIELDS} }

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
    type S3Configuration { bucket: String! region: String! disabled: Boolean format: S3ArchivingFormat }
    enum S3ArchivingFormat { RAW NDJSON }
    type CreateRepositoryMutation { repository: Repository! }
    type UpdateDescriptionMutation { description: String! }
    type setAutomaticSearching { automaticSearch: Boolean! }

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
      deleteSearchDomain(name: String!, deleteMessage: String): BooleanResultType!
      setAutomaticSearching(name: String!, automaticSearch: Boolean!): setAutomaticSearching!
      updateRetention(
        repositoryName: String!
        "Days."
        timeBasedRetention: Float
        "GiB."
        ingestSizeBasedRetention: Float
        "GiB."
        storageSizeBasedRetention: Float
      ): UpdateRetentionMutation!
      createView(
        name: String!
        description: String
        connections: [ViewConnectionInput!]
        isFederated: Boolean
        federatedViews: [String!]
      ): View!
      updateView(viewName: String!, connections: [ViewConnectionInput!]!): View!
    }

    type UpdateRetentionMutation { repository: SearchDomain! }
    type ViewConnection { repository: Repository! filter: String! }

    type View implements SearchDomain {
      ${SEARCH_DOMAIN_FIELDS}
      "Those whose repository is there."
      connections: [ViewConnection!]!
      isFederated: Boolean!
    }

    input ViewConnectionInput { repositoryName: String! filter: String! languageVersion: LanguageVersionEnum }
  `,
  operations: {
    repositories: (_: unknown, context) =>
      context.repositories.list().map((repository) => repositoryNode(context, repository)),
    repository: ({ name }: NameArguments, context) =>
      repositoryNode(context, requireRepository(context, name)),
    searchDomains: (_: unknown, context) =>
      context.searchDomains.list().map((domain) => domainNode(context, domain)),
    searchDomain: ({ name }: NameArguments, context) =>
      domainNode(context, requireSearchDomain(context, name)),
    createRepository,
    updateDescriptionForSearchDomain: (
      { name, newDescription }: NameArguments & { readonly newDescription: string },
      context,
    ) => {
      context.domainSettings.change(requireSearchDomain(context, name).name, { description: newDescription });
      return { description: newDescription };
    },
    setAutomaticSearching: (
      { name, automaticSearch }: NameArguments & { readonly automaticSearch: boolean },
      context,
    ) => {
      context.domainSettings.change(requireSearchDomain(context, name).name, { automaticSearch });
      return { automaticSearch };
    },
    deleteSearchDomain,
    updateRetention: (
      { repositoryName, ...limits }: RetentionChanges & { readonly repositoryName: string },
      context,
    ) => {
      const repository = requireRepository(context, repositoryName);
      repository.retention.set(limits);
      repository.expire();
      return { repository: repositoryNode(context, repository) };
    },
    createView,
    updateView,
  },
};

function createRepository(args: CreateArguments, context: GraphqlContext): unknown {
  const { name, description } = args;
  checkNewName(context, name);
  const scaled = (value: Optional<number>, unit: number) => (value == null ? undefined : value / unit);
  const retention = {
    timeBasedRetention: scaled(args.retentionInMillis, DAY_MS),
    ingestSizeBasedRetention: scaled(args.retentionInIngestSizeBytes, GIB),
    storageSizeBasedRetention: scaled(args.retentionInStorageSizeBytes, GIB),
  };
  checkRetention(retention);
  context.domainSettings.reset(name, { description });
  const repository = context.repositories.create(name, (created) => {
    created.retention.set(retention);
    // As on the service, a new repository accepts events immediately.
    created.ingestTokens.add({ name: 'default' });
  });
  return { repository: repositoryNode(context, repository) };
}

function deleteSearchDomain({ name }: NameArguments, context: GraphqlContext): unknown {
  const { repositories, searchDomains, domainSettings } = context;
  const domain = requireSearchDomain(context, name);
  if (!(domain instanceof Repository)) refuseBuiltIn(context, name);
  if (!repositories.delete(name)) searchDomains.deleteView(name);
  // Otherwise, the next repository or view with this name resets them.
  tryOr(undefined, () => domainSettings.reset(name));
  return { result: true };
}

function refuseBuiltIn({ searchDomains }: GraphqlContext, viewName: string): void {
  if (!searchDomains.isBuiltInView(viewName)) return;
  throw invalid(`The view ${viewName} is built in.`);
}

function createView(
  { name, description, connections, isFederated, federatedViews }: CreateViewArguments,
  context: GraphqlContext,
): unknown {
  if (isFederated || federatedViews?.length) {
    throw invalid(absence('multi-cluster views'));
  }
  checkNewName(context, name);
  const checked = checkedConnections(context, name, connections ?? []);
  context.domainSettings.reset(name, { description });
  return viewNode(context, context.searchDomains.setView(name, checked));
}

function updateView({ viewName, connections }: UpdateViewArguments, context: GraphqlContext): unknown {
  const { searchDomains } = context;
  if (!(searchDomains.get(viewName) instanceof View)) {
    throw missing(`There is no view ${JSON.stringify(viewName.slice(0, 100))}.`, 'viewName');
  }
  refuseBuiltIn(context, viewName);
  return viewNode(
    context,
    searchDomains.setView(viewName, checkedConnections(context, viewName, connections)),
  );
}

function checkedConnections(
  { repositories, searchDomains }: GraphqlContext,
  viewName: string,
  connections: readonly ViewConnection[],
): ViewConnection[] {
  if (connections.length > MAX_CONNECTIONS) {
    throw tooLarge(`A view can have at most ${MAX_CONNECTIONS} connections.`);
  }
  return connections.map(({ repositoryName, filter }) => {
    const repository = repositories.get(repositoryName);
    if (repository === undefined) {
      const isView = searchDomains.get(repositoryName) !== undefined;
      const message = isView
        ? `${repositoryName} is a view; a view can only contain repositories.`
        : `There is no repository ${JSON.stringify(repositoryName.slice(0, 100))}.`;
      throw missing(message, 'repositoryName');
    }
    const domain = searchDomains.get(viewName) ?? repository;
    checkFilter({ repositoryName, filter }, repositoryLibrary(domain, searchDomains));
    return { repositoryName, filter };
  });
}

/** @throws ResourceError for a name that is invalid or in use */
function checkNewName({ searchDomains }: GraphqlContext, name: string): void {
  const problem = repositoryNameProblem(name);
  if (problem !== undefined) throw invalid(problem, 'name');
  const existing = searchDomains.findLike(name);
  if (existing === undefined) return;
  const what = existing instanceof Repository ? 'repository' : 'view';
  throw taken(`The ${what} ${JSON.stringify(name)} already exists.`);
}
