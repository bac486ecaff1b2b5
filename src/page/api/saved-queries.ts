import type { HttpCaller } from '../../core/http/http-caller.ts';
import { PAGE_OPERATIONS } from '../../core/wire/page-operations.ts';

export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly queryString: string;
  /** State of the page when the query was saved, in the format of its URL; `undefined` if another program saved it. */
  readonly view: string | undefined;
}

export interface NewSavedQuery extends Omit<SavedQuery, 'id'> {
  readonly start: string;
  readonly end: string;
  readonly isLive: boolean;
  readonly view: string;
}

export async function listSavedQueries(http: HttpCaller, repository: string): Promise<readonly SavedQuery[]> {
  interface Data {
    readonly searchDomain: {
      readonly savedQueries: readonly {
        id: string;
        name: string;
        options?: { readonly logclient?: unknown } | null;
        query: { queryString: string };
      }[];
    };
  }
  const { searchDomain } = await http.callGraphql<Data>({
    query: PAGE_OPERATIONS.savedQueries,
    variables: { name: repository },
  });
  return searchDomain.savedQueries.map(({ id, name, options, query }) => ({
    id,
    name,
    queryString: query.queryString,
    view: typeof options?.logclient === 'string' ? options.logclient : undefined,
  }));
}

export async function saveQuery(
  http: HttpCaller,
  repository: string,
  { view, ...query }: NewSavedQuery,
): Promise<void> {
  const options = JSON.stringify({ logclient: view });
  await http.callGraphql({
    query: PAGE_OPERATIONS.createSavedQuery,
    variables: { input: { viewName: repository, ...query, options } },
  });
}

export async function deleteSavedQuery(http: HttpCaller, repository: string, id: string): Promise<void> {
  await http.callGraphql({
    query: PAGE_OPERATIONS.deleteSavedQuery,
    variables: { input: { viewName: repository, id } },
  });
}
