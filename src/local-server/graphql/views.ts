import { repositoryLibrary } from '../queries/repository-library.ts';
import { ResourceError } from '../registries/resource-error.ts';
import { checkFilter } from '../views/event-filter.ts';
import type { View } from '../views/view.ts';
import type { ViewConnection } from '../views/view-connection.ts';
import { type GraphqlArea, type GraphqlContext, given, type Optional } from './area.ts';
import { checkNewName, SEARCH_DOMAIN_FIELDS, searchDomainResolvers } from './search-domain-fields.ts';

interface CreateArguments {
  readonly name: string;
  readonly description?: Optional<string>;
  readonly connections?: Optional<readonly ViewConnection[]>;
}

interface UpdateArguments {
  readonly viewName: string;
  readonly connections: readonly ViewConnection[];
}

const MAX_VIEWS = 1000;
const MAX_CONNECTIONS = 1000;

/** Views: the events of repositories, those that pass a filter, under another name. */
export const viewsArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type ViewConnection {
      repository: Repository!
      filter: String!
    }

    type View implements SearchDomain {
      ${SEARCH_DOMAIN_FIELDS}
      "Those whose repository is there."
      connections: [ViewConnection!]!
    }

    input ViewConnectionInput {
      repositoryName: String!
      filter: String!
      languageVersion: LanguageVersionEnum
    }

    extend type Mutation {
      createView(name: String!, description: String, connections: [ViewConnectionInput!]): View!
      updateView(viewName: String!, connections: [ViewConnectionInput!]!): View!
    }
  `,
  resolvers: {
    Mutation: {
      createView: (_: unknown, args: CreateArguments, context) => createView(context, args),
      updateView: (_: unknown, args: UpdateArguments, context) => updateView(context, args),
    },
    View: {
      ...searchDomainResolvers,
      connections: ({ connections }: View) => connections,
    },
  },
};

function createView(context: GraphqlContext, { name, description, connections }: CreateArguments): View {
  const { views } = context.searchDomains;
  checkNewName(context, name);
  if (views.list().length >= MAX_VIEWS) {
    throw new ResourceError('tooLarge', `This server can have at most ${MAX_VIEWS} views.`);
  }
  const checked = checkedConnections(context, name, connections ?? []);
  const view = views.set(name, checked);
  if (given(description) !== undefined) context.descriptions.set(name, given(description));
  return view;
}

function updateView(context: GraphqlContext, { viewName, connections }: UpdateArguments): View {
  const { views } = context.searchDomains;
  if (views.get(viewName) === undefined) {
    throw new ResourceError('missing', `There is no view ${JSON.stringify(viewName.slice(0, 100))}.`, {
      viewName: 'not found',
    });
  }
  if (views.isBuiltIn(viewName)) {
    throw new ResourceError('forbidden', `The view ${viewName} is built in: it contains all repositories.`);
  }
  return views.set(viewName, checkedConnections(context, viewName, connections));
}

function checkedConnections(
  { repositories, searchDomains, referenceData }: GraphqlContext,
  viewName: string,
  connections: readonly ViewConnection[],
): ViewConnection[] {
  if (connections.length > MAX_CONNECTIONS) {
    throw new ResourceError('tooLarge', `A view can have at most ${MAX_CONNECTIONS} connections.`);
  }
  return connections.map(({ repositoryName, filter }) => {
    const repository = repositories.get(repositoryName);
    if (repository === undefined) {
      const isView = searchDomains.get(repositoryName) !== undefined;
      throw new ResourceError(
        'missing',
        isView
          ? `${repositoryName} is a view; a view can only contain repositories.`
          : `There is no repository ${JSON.stringify(repositoryName.slice(0, 100))}.`,
        { repositoryName: 'not found' },
      );
    }
    const library = repositoryLibrary(
      searchDomains.get(viewName) ?? repository,
      searchDomains,
      referenceData,
    );
    checkFilter({ repositoryName, filter }, library);
    return { repositoryName, filter };
  });
}
