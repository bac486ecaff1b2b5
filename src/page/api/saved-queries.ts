import { PAGE_OPERATIONS } from '../../wire/page-operations.ts';
import { graphql } from './graphql.ts';
import type { Http } from './http.ts';

export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly queryString: string;
}

export async function listSavedQueries(http: Http, repository: string): Promise<readonly SavedQuery[]> {
  interface Data {
    readonly searchDomain: {
      readonly savedQueries: readonly { id: string; name: string; query: { queryString: string } }[];
    };
  }
  const { searchDomain } = await graphql<Data>(http, PAGE_OPERATIONS.savedQueries, { name: repository });
  return searchDomain.savedQueries.map(({ id, name, query }) => ({
    id,
    name,
    queryString: query.queryString,
  }));
}

export async function saveQuery(
  http: Http,
  repository: string,
  { name, queryString }: { readonly name: string; readonly queryString: string },
): Promise<void> {
  await graphql(http, PAGE_OPERATIONS.createSavedQuery, {
    input: { viewName: repository, name, queryString },
  });
}

export async function deleteSavedQuery(http: Http, repository: string, id: string): Promise<void> {
  await graphql(http, PAGE_OPERATIONS.deleteSavedQuery, { input: { viewName: repository, id } });
}
