import { tryOr } from '../../core/try-or.ts';
import { invalid } from '../registries/resource-error.ts';
import type { NewSavedQuery, SavedQuery, SavedQueryDetails } from '../registries/saved-queries.ts';
import { type GraphqlArea, type Input, requireSearchDomain, sameTypes } from './area.ts';

interface QueryPlace {
  readonly viewName: string;
  readonly id: string;
}

const MAX_OPTIONS_DEPTH = 100;

const DETAILS_SDL = /* GraphQL */ `
  start: String end: String isLive: Boolean description: String widgetType: String options: String
  labels: [String!]
`;

/** Saved queries: the current operations, and those of older clients (`deleteSavedQuery { savedQuery }`). */
export const savedQueriesArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type HumioQuery {
      queryString: String! start: String! end: String! isLive: Boolean! arguments: [DictionaryEntryType!]!
    }

    type SavedQuery {
      id: String! name: String! displayName: String! description: String labels: [String!]! query: HumioQuery!
      widgetType: String! options: JSON! isStarred: Boolean!
    }

    input CreateSavedQueryInput { name: String! viewName: String! queryString: String! ${DETAILS_SDL} }
    input UpdateSavedQueryInput { id: String! viewName: String! name: String queryString: String ${DETAILS_SDL} }
    input DeleteSavedQueryInput { id: String! viewName: String! }
    ${sameTypes(['CreateSavedQueryPayload', 'UpdateSavedQueryPayload'], 'savedQuery: SavedQuery!')}

    extend type BooleanResultType {
      "Only of deleteSavedQuery: the deleted query."
      savedQuery: SavedQuery @deprecated(reason: "The service no longer has it. Select result.")
    }

    extend type Mutation {
      createSavedQuery(input: CreateSavedQueryInput!): CreateSavedQueryPayload!
      updateSavedQuery(input: UpdateSavedQueryInput!): UpdateSavedQueryPayload!
      deleteSavedQuery(input: DeleteSavedQueryInput!): BooleanResultType!
    }
  `,
  operations: {
    createSavedQuery: ({ input }: Input<NewSavedQuery & { readonly viewName: string }>, context) => {
      const { viewName, ...details } = input;
      const { savedQueries } = requireSearchDomain(context, viewName);
      return { savedQuery: savedQueryNode(savedQueries.create({ ...details, ...optionsOf(details) })) };
    },
    updateSavedQuery: ({ input }: Input<SavedQueryDetails & QueryPlace>, context) => {
      const { viewName, id, ...details } = input;
      const { savedQueries } = requireSearchDomain(context, viewName);
      return { savedQuery: savedQueryNode(savedQueries.update(id, { ...details, ...optionsOf(details) })) };
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
    options: {},
    ...saved,
    displayName: name,
    isStarred: false,
    query: { queryString, start, end, isLive, arguments: [] },
  };
}

/** Clients send the options of a widget as a JSON string, and receive them as JSON. */
function optionsOf({ options }: SavedQueryDetails): Pick<SavedQueryDetails, 'options'> {
  if (typeof options !== 'string') return {};
  const parsed = tryOr<unknown>(undefined, () => JSON.parse(options));
  // Serialization is recursive, so deep values would overflow the stack.
  if (parsed !== undefined && !isDeeperThan(MAX_OPTIONS_DEPTH, parsed)) return { options: parsed };
  throw invalid(`The options must be JSON of up to ${MAX_OPTIONS_DEPTH} levels.`, 'options');
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}
