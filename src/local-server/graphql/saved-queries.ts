import type { NewSavedQuery, SavedQuery, SavedQueryDetails } from '../registries/saved-queries.ts';
import { type GraphqlArea, type Input, requireSearchDomain } from './area.ts';

interface QueryPlace {
  readonly viewName: string;
  readonly id: string;
}

const DETAILS_SDL = /* GraphQL */ `
  start: String
  end: String
  isLive: Boolean
  description: String
  widgetType: String
  options: JSON
  labels: [String!]
`;

/** Saved queries: the current operations, and those of older clients (`deleteSavedQuery { savedQuery }`). */
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
  operations: {
    createSavedQuery: ({ input }: Input<NewSavedQuery & { readonly viewName: string }>, context) => {
      const { viewName, ...details } = input;
      const { savedQueries } = requireSearchDomain(context, viewName);
      return { savedQuery: savedQueryNode(savedQueries.create(details)) };
    },
    updateSavedQuery: ({ input }: Input<SavedQueryDetails & QueryPlace>, context) => {
      const { viewName, id, ...details } = input;
      const { savedQueries } = requireSearchDomain(context, viewName);
      return { savedQuery: savedQueryNode(savedQueries.update(id, details)) };
    },
    deleteSavedQuery: ({ input: { viewName, id } }: Input<QueryPlace>, context) => ({
      result: true,
      savedQuery: savedQueryNode(requireSearchDomain(context, viewName).savedQueries.remove(id)),
    }),
  },
};

export function savedQueryNode(saved: SavedQuery) {
  const { name, queryString, start, end, isLive } = saved;
  return {
    labels: [],
    widgetType: 'list-view',
    ...saved,
    displayName: name,
    isStarred: false,
    query: { queryString, start, end, isLive, arguments: [] },
  };
}
