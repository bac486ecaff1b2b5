import { ResourceError } from '../registries/resource-error.ts';
import type { SavedQuery, SavedQueryDetails } from '../registries/saved-queries.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { GraphqlArea } from './area.ts';
import { requireSearchDomain } from './require-repository.ts';

interface CreateArguments {
  readonly input: SavedQueryDetails & {
    readonly viewName: string;
    readonly name: string;
    readonly queryString: string;
  };
}

interface UpdateArguments {
  readonly input: SavedQueryDetails & { readonly viewName: string; readonly id: string };
}

interface DeleteArguments {
  readonly input: { readonly viewName: string; readonly id: string };
}

/** What can be set besides the name and the text. */
const DETAILS_SDL = /* GraphQL */ `
  start: String
  end: String
  isLive: Boolean
  description: String
  widgetType: String
  options: JSON
  labels: [String!]
`;

/** Saved queries: the shapes of today, and what was there before (`deleteSavedQuery { savedQuery }`). */
export const savedQueriesArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type HumioQuery {
      queryString: String!
      start: String!
      end: String!
      isLive: Boolean!
      arguments: [DictionaryEntryType!]!
    }

    type SavedQuery {
      id: String!
      name: String!
      displayName: String!
      description: String
      labels: [String!]!
      query: HumioQuery!
      widgetType: String!
      options: JSON
      isStarred: Boolean!
    }

    input CreateSavedQueryInput {
      name: String!
      viewName: String!
      queryString: String!
      ${DETAILS_SDL}
    }

    input UpdateSavedQueryInput {
      id: String!
      viewName: String!
      name: String
      queryString: String
      ${DETAILS_SDL}
    }

    input DeleteSavedQueryInput {
      id: String!
      viewName: String!
    }

    type CreateSavedQueryPayload {
      savedQuery: SavedQuery!
    }

    type UpdateSavedQueryPayload {
      savedQuery: SavedQuery!
    }

    type DeleteSavedQueryPayload {
      result: Boolean!
      "The query that is gone."
      savedQuery: SavedQuery!
    }

    extend type Mutation {
      createSavedQuery(input: CreateSavedQueryInput!): CreateSavedQueryPayload!
      updateSavedQuery(input: UpdateSavedQueryInput!): UpdateSavedQueryPayload!
      deleteSavedQuery(input: DeleteSavedQueryInput!): DeleteSavedQueryPayload!
    }
  `,
  resolvers: {
    Mutation: {
      createSavedQuery: (_: unknown, { input: { viewName, ...details } }: CreateArguments, context) => ({
        savedQuery: requireSearchDomain(context, viewName).savedQueries.create({ ...details }),
      }),
      updateSavedQuery: (_: unknown, { input: { viewName, id, ...details } }: UpdateArguments, context) => ({
        savedQuery: requireSearchDomain(context, viewName).savedQueries.update(id, { ...details }),
      }),
      deleteSavedQuery: (_: unknown, { input: { viewName, id } }: DeleteArguments, context) => ({
        result: true,
        savedQuery: requireSearchDomain(context, viewName).savedQueries.remove(id),
      }),
    },
    SavedQuery: {
      displayName: ({ name }: SavedQuery) => name,
      labels: ({ labels }: SavedQuery) => labels ?? [],
      widgetType: ({ widgetType }: SavedQuery) => widgetType ?? 'list-view',
      isStarred: () => false,
      query: ({ queryString, start, end, isLive }: SavedQuery) => ({
        queryString,
        start,
        end,
        isLive,
        arguments: [],
      }),
    },
  },
};

/** The `savedQuery` of a repository. */
export function findSavedQuery({ savedQueries }: SearchDomain, { id }: { readonly id: string }): SavedQuery {
  const query = savedQueries.get(id);
  if (query !== undefined) return query;
  throw new ResourceError('missing', `No saved query with id ${JSON.stringify(id.slice(0, 60))}`, {
    id: 'not found',
  });
}
