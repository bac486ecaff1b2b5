import { LogOptionsException } from '../errors.ts';
import { describe, requireText } from '../internal/option-checks.ts';
import { type QueryText, queryStringOf } from '../query/query-fragment.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import type { SavedQuery } from '../wire/saved-queries.ts';
import { found } from './found.ts';
import { graphqlPart, listOf, partOf } from './graphql-part.ts';

/** Properties of a saved query. */
export interface SavedQueryOptions extends CallOptions {
  /** Description of the saved query. @default none */
  description?: string | undefined;
  /** Start of the time range, in the same formats as `start` of a query. @default '24hours' (unchanged on update) */
  start?: string | undefined;
  /** End of the time range, in the same formats as `end` of a query. @default 'now' (unchanged on update) */
  end?: string | undefined;
  /** Runs the saved query as a live query. @default false (unchanged on update) */
  isLive?: boolean | undefined;
  /** Type of widget that shows the result in the web interface. */
  widgetType?: string | undefined;
}

/** Properties of a saved query to update. */
export interface UpdateSavedQueryOptions extends SavedQueryOptions {
  /** New name of the saved query. */
  name?: string | undefined;
  /** New query string. */
  queryString?: QueryText | undefined;
}

const OWN_OPTION_NAMES = ['description', 'start', 'end', 'isLive', 'widgetType'] as const;

const SAVED_QUERY_FIELDS = 'id name displayName description query { queryString start end isLive }';

const CREATE = `mutation CreateSavedQuery($input: CreateSavedQueryInput!) {
  createSavedQuery(input: $input) { savedQuery { ${SAVED_QUERY_FIELDS} } }
}`;

const LIST = `query ListSavedQueries($repository: String!) {
  searchDomain(name: $repository) { savedQueries { ${SAVED_QUERY_FIELDS} } }
}`;

const GET = `query GetSavedQuery($repository: String!, $id: String!) {
  searchDomain(name: $repository) { savedQuery(id: $id) { ${SAVED_QUERY_FIELDS} } }
}`;

const UPDATE = `mutation UpdateSavedQuery($input: UpdateSavedQueryInput!) {
  updateSavedQuery(input: $input) { savedQuery { ${SAVED_QUERY_FIELDS} } }
}`;

const DELETE = `mutation DeleteSavedQuery($input: DeleteSavedQueryInput!) {
  deleteSavedQuery(input: $input) { result }
}`;

export async function createSavedQuery(
  { webCaller, repository }: RepositoryScope,
  name: string,
  queryString: string,
  options: SavedQueryOptions,
): Promise<SavedQuery> {
  const call = resolveCallOptions('createSavedQuery', options, OWN_OPTION_NAMES);
  const input = {
    ...ownMembers(options, OWN_OPTION_NAMES),
    viewName: repository,
    name: requireText('createSavedQuery', 'name', name),
    queryString: requireQuery('createSavedQuery', queryString),
  };
  return graphqlPart<SavedQuery>(webCaller, 'createSavedQuery.savedQuery', {
    ...call,
    query: CREATE,
    variables: { input },
  });
}

export async function listSavedQueries(
  { webCaller, repository }: RepositoryScope,
  options: CallOptions,
): Promise<SavedQuery[]> {
  const { searchDomain } = await webCaller.callGraphql<{
    searchDomain: { savedQueries: SavedQuery[] } | null;
  }>({
    ...resolveCallOptions('listSavedQueries', options),
    query: LIST,
    variables: { repository },
  });
  return listOf<SavedQuery>(webCaller, found(searchDomain, repository), 'savedQueries');
}

export async function getSavedQuery(
  { webCaller, repository }: RepositoryScope,
  id: string,
  options: CallOptions,
): Promise<SavedQuery> {
  const { searchDomain } = await webCaller.callGraphql<{ searchDomain: { savedQuery: SavedQuery } | null }>({
    ...resolveCallOptions('getSavedQuery', options),
    query: GET,
    variables: { repository, id: requireText('getSavedQuery', 'id', id) },
  });
  return partOf<SavedQuery>(webCaller, found(searchDomain, repository), 'savedQuery');
}

export async function updateSavedQuery(
  { webCaller, repository }: RepositoryScope,
  id: string,
  options: UpdateSavedQueryOptions,
): Promise<SavedQuery> {
  const names = [...OWN_OPTION_NAMES, 'name', 'queryString'] as const;
  const call = resolveCallOptions('updateSavedQuery', options, names);
  const { name, queryString } = options;
  if (name !== undefined) requireText('updateSavedQuery', 'name', name);
  const input = {
    ...ownMembers(options, names),
    ...(queryString === undefined
      ? {}
      : { queryString: requireQuery('updateSavedQuery', queryStringOf(queryString)) }),
    viewName: repository,
    id: requireText('updateSavedQuery', 'id', id),
  };
  return graphqlPart<SavedQuery>(webCaller, 'updateSavedQuery.savedQuery', {
    ...call,
    query: UPDATE,
    variables: { input },
  });
}

export async function deleteSavedQuery(
  { webCaller, repository }: RepositoryScope,
  id: string,
  options: CallOptions,
): Promise<boolean> {
  return graphqlPart<boolean>(webCaller, 'deleteSavedQuery.result', {
    ...resolveCallOptions('deleteSavedQuery', options),
    query: DELETE,
    variables: { input: { viewName: repository, id: requireText('deleteSavedQuery', 'id', id) } },
  });
}

function requireQuery(owner: string, queryString: unknown): string {
  if (typeof queryString === 'string') return queryString;
  throw new LogOptionsException(`${owner}: the query must be a string (got ${describe(queryString)}).`);
}

function ownMembers<Options extends object>(
  options: Options,
  names: readonly (keyof Options)[],
): Partial<Options> {
  const members: Partial<Options> = {};
  for (const name of names) {
    if (options[name] !== undefined) members[name] = options[name];
  }
  return members;
}
