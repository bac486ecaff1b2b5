import type { HttpCaller } from '../../core/http/http-caller.ts';
import { path } from '../../core/http/path.ts';
import { LOCAL_OPERATIONS, PAGE_OPERATIONS } from '../../core/wire/page-operations.ts';
import { serverNow } from './server-clock.ts';

export interface SearchDomain {
  readonly name: string;
  readonly isView: boolean;
}

/** Repositories and views that the token can search, repositories first. */
export async function listSearchDomains(http: HttpCaller): Promise<readonly SearchDomain[]> {
  type Data = { readonly searchDomains: readonly { __typename: string; name: string }[] };
  const { searchDomains } = await http.callGraphql<Data>({ query: PAGE_OPERATIONS.searchDomains });
  return searchDomains
    .map(({ __typename, name }) => ({ name, isView: __typename === 'View' }))
    .sort((left, right) => Number(left.isView) - Number(right.isView));
}

/** An ingest token of a repository, if there is one. */
export async function findIngestToken(http: HttpCaller, repository: string): Promise<string | undefined> {
  const data = await http.callGraphql<{ repository: { ingestTokens: { token: string }[] } }>({
    query: LOCAL_OPERATIONS.ingestToken,
    variables: { name: repository },
  });
  return data.repository.ingestTokens[0]?.token;
}

/** Stores one record with the user token. */
export async function sendTestRecord(http: HttpCaller, repository: string): Promise<void> {
  const attributes = { level: 'info', msg: 'Hello from the web page', ms: 42, user: { id: 7, plan: 'pro' } };
  const event = { timestamp: serverNow(), attributes };
  const response = await http.callRest('POST', path`repositories/${repository}/ingest`, {
    data: [{ tags: { service: 'test' }, events: [event] }],
  });
  response.discard();
}
