import type { CallOptions } from '../core/http/call-options.ts';
import { type Check, requireString, requireText } from '../core/option-checks.ts';
import { requireTimePoint } from '../core/time-option.ts';
import type { TimePoint } from '../core/wire/query.ts';
import type { SavedQuery } from '../core/wire/saved-queries.ts';
import { FileMethods } from './files.ts';
import { type QueryText, queryStringOf } from './query/query-fragment.ts';
import { type CreateOptions, type OptionChecks, requireIfExists, unchecked } from './resource.ts';

/** Properties of a saved query. */
export interface SavedQueryProperties extends CallOptions {
  /** Description of the saved query. @default none (unchanged on update) */
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

/** GraphQL has points in time as strings. */
const requireTime: Check = (owner, name, value) => String(requireTimePoint(owner, name, value));

const PROPERTIES: OptionChecks<SavedQueryProperties> = {
  description: unchecked,
  start: requireTime,
  end: requireTime,
  isLive: unchecked,
  widgetType: unchecked,
};

const CREATE_OPTIONS: OptionChecks<CreateSavedQueryOptions> = { ...PROPERTIES, ifExists: requireIfExists };

const UPDATE_OPTIONS: OptionChecks<UpdateSavedQueryOptions> = {
  name: requireText,
  queryString: (owner, _name, value) => requireString(owner, 'the query', queryStringOf(value as QueryText)),
  ...PROPERTIES,
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

/** Methods of a client for saved queries. */
export abstract class SavedQueryMethods extends FileMethods {
  /**
   * Saves a query under a name.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the name is already in use.
   *
   * @example
   * ```ts
   * await client.createSavedQuery('failures', 'level=error', { ifExists: 'update' });
   * ```
   */
  async createSavedQuery(
    name: string,
    queryString: QueryText,
    options: CreateSavedQueryOptions = {},
  ): Promise<SavedQuery> {
    const call = this.call('createSavedQuery', options, CREATE_OPTIONS);
    const own = call.ownOptions();
    const input = {
      ...own,
      viewName: this.repository,
      ...call.texts({ name }),
      queryString: requireString(call.owner, 'the query', queryStringOf(queryString)),
    };
    return call.createOr<SavedQuery>({
      create: () => call.part('createSavedQuery.savedQuery', CREATE, { input }),
      find: async () => (await this.listSavedQueries(call.callOptions)).find((saved) => saved.name === name),
      update: ({ id }) => this.updateSavedQuery(id, { ...call.callOptions, ...own, queryString }),
    });
  }

  /**
   * Returns the saved queries of the repository.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if the repository or view does not exist.
   */
  async listSavedQueries(options: CallOptions = {}): Promise<SavedQuery[]> {
    const call = this.call('listSavedQueries', options);
    return call.listOf(await call.requireDomain('searchDomain', LIST), 'savedQueries');
  }

  /**
   * Returns the saved query with this ID or name, or undefined.
   *
   * @example
   * ```ts
   * const saved = await client.getSavedQuery('failures');
   * ```
   */
  async getSavedQuery(idOrName: string, options: CallOptions = {}): Promise<SavedQuery | undefined> {
    const call = this.call('getSavedQuery', options);
    call.texts({ idOrName });
    const all = await this.listSavedQueries(call.callOptions);
    return all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
  }

  /**
   * Updates the given properties of the saved query with this ID or name.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if there is no such query.
   *
   * @example
   * ```ts
   * await client.updateSavedQuery('failures', { queryString: 'level=fatal' });
   * ```
   */
  async updateSavedQuery(idOrName: string, options: UpdateSavedQueryOptions = {}): Promise<SavedQuery> {
    const call = this.call('updateSavedQuery', options, UPDATE_OPTIONS);
    const changes = { ...call.ownOptions(), viewName: this.repository };
    const run = (id: string) =>
      call.part<SavedQuery>('updateSavedQuery.savedQuery', UPDATE, { input: { ...changes, id } });
    const updated = await call.ifListed({ idOrName }, run, (options) => this.listSavedQueries(options));
    return call.existing('saved query', idOrName, updated);
  }

  /**
   * Deletes the saved query with this ID or name.
   *
   * @returns false if there is no such query.
   *
   * @example
   * ```ts
   * const wasDeleted = await client.deleteSavedQuery('failures');
   * ```
   */
  async deleteSavedQuery(idOrName: string, options: CallOptions = {}): Promise<boolean> {
    const call = this.call('deleteSavedQuery', options);
    const run = (id: string) =>
      call.part<boolean>('deleteSavedQuery.result', DELETE, { input: { viewName: this.repository, id } });
    return call.ifListed({ idOrName }, run, (options) => this.listSavedQueries(options), false);
  }
}
