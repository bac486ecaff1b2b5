import type { CallOptions } from '../core/http/call-options.ts';
import { requireString, requireText } from '../core/option-checks.ts';
import type { TimePoint } from '../core/wire/query.ts';
import type { SavedQuery } from '../core/wire/saved-queries.ts';
import { type QueryText, queryStringOf } from './query/query-fragment.ts';
import {
  type Api,
  type CreateOptions,
  type OptionChecks,
  requireIfExists,
  requireTime,
  unchecked,
} from './resource.ts';

/** Properties of a saved query. */
export interface SavedQueryProperties extends CallOptions {
  /** Description of the saved query. @default none */
  description?: string | undefined;
  /** Start of the time range, in the same formats as `start` of a query. @default '24hours' (unchanged on update) */
  start?: TimePoint | Date | undefined;
  /** End of the time range, in the same formats as `end` of a query. @default 'now' (unchanged on update) */
  end?: TimePoint | Date | undefined;
  /** Runs the saved query as a live query. @default false (unchanged on update) */
  isLive?: boolean | undefined;
  /** Type of widget that shows the result in the web interface. */
  widgetType?: string | undefined;
}

/** Properties of a saved query to create. */
export interface CreateSavedQueryOptions extends SavedQueryProperties, CreateOptions {}

/** Properties of a saved query to update. */
export interface UpdateSavedQueryOptions extends SavedQueryProperties {
  /** New name of the saved query. */
  name?: string | undefined;
  /** New query string. */
  queryString?: QueryText | undefined;
}

const PROPERTIES: OptionChecks<SavedQueryProperties> = {
  description: unchecked,
  start: requireTime,
  end: requireTime,
  isLive: unchecked,
  widgetType: unchecked,
};

const CREATE_OPTIONS: OptionChecks<CreateSavedQueryOptions> = { ...PROPERTIES, ifExists: requireIfExists };

const UPDATE_OPTIONS: OptionChecks<UpdateSavedQueryOptions> = {
  ...PROPERTIES,
  name: requireText,
  queryString: (owner, _name, value) => requireString(owner, 'the query', queryStringOf(value as QueryText)),
};

const SAVED_QUERY_FIELDS = 'id name displayName description query { queryString start end isLive }';

const CREATE = `mutation CreateSavedQuery($input: CreateSavedQueryInput!) {
  createSavedQuery(input: $input) { savedQuery { ${SAVED_QUERY_FIELDS} } }
}`;

const LIST = `query ListSavedQueries($repository: String!) {
  searchDomain(name: $repository) { savedQueries { ${SAVED_QUERY_FIELDS} } }
}`;

const UPDATE = `mutation UpdateSavedQuery($input: UpdateSavedQueryInput!) {
  updateSavedQuery(input: $input) { savedQuery { ${SAVED_QUERY_FIELDS} } }
}`;

const DELETE = `mutation DeleteSavedQuery($input: DeleteSavedQueryInput!) {
  deleteSavedQuery(input: $input) { result }
}`;

export async function createSavedQuery(
  api: Api,
  name: string,
  queryString: string,
  options: CreateSavedQueryOptions,
): Promise<SavedQuery> {
  const owner = 'createSavedQuery';
  const call = api.call(owner, options, CREATE_OPTIONS);
  const own = call.ownOptions();
  const input = {
    ...own,
    viewName: api.repository,
    ...call.texts({ name }),
    queryString: requireString(owner, 'the query', queryString),
  };
  return call.createOr<SavedQuery>({
    create: () => call.part('createSavedQuery.savedQuery', CREATE, { input }),
    find: async () => (await listSavedQueries(api, call.callOptions)).find((saved) => saved.name === name),
    update: ({ id }) => updateSavedQuery(api, id, { ...call.callOptions, ...own, queryString }),
  });
}

export async function listSavedQueries(api: Api, options: CallOptions): Promise<SavedQuery[]> {
  const call = api.call('listSavedQueries', options);
  return call.listOf(await call.requireDomain('searchDomain', LIST), 'savedQueries');
}

export async function getSavedQuery(
  api: Api,
  idOrName: string,
  options: CallOptions,
): Promise<SavedQuery | undefined> {
  const call = api.call('getSavedQuery', options);
  call.texts({ idOrName });
  const all = await listSavedQueries(api, call.callOptions);
  return all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
}

export async function updateSavedQuery(
  api: Api,
  idOrName: string,
  options: UpdateSavedQueryOptions,
): Promise<SavedQuery> {
  const call = api.call('updateSavedQuery', options, UPDATE_OPTIONS);
  call.texts({ idOrName });
  const changes = { ...call.ownOptions(), viewName: api.repository };
  const updated = await call.ifListed(
    idOrName,
    (id) => call.part<SavedQuery>('updateSavedQuery.savedQuery', UPDATE, { input: { ...changes, id } }),
    (options) => listSavedQueries(api, options),
  );
  return call.existing('saved query', idOrName, updated);
}

export async function deleteSavedQuery(api: Api, idOrName: string, options: CallOptions): Promise<boolean> {
  const call = api.call('deleteSavedQuery', options);
  call.texts({ idOrName });
  const deleted = await call.ifListed(
    idOrName,
    (id) =>
      call.part<boolean>('deleteSavedQuery.result', DELETE, { input: { viewName: api.repository, id } }),
    (options) => listSavedQueries(api, options),
  );
  return deleted ?? false;
}
