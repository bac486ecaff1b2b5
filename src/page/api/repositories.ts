import { LOCAL_OPERATIONS, PAGE_OPERATIONS } from '../../core/wire/page-operations.ts';
import { graphql } from './graphql.ts';
import type { Http } from './http.ts';

export interface SearchDomain {
  readonly name: string;
  readonly isView: boolean;
}

/** The repositories and views that the token can search, repositories first. */
export async function listSearchDomains(http: Http): Promise<readonly SearchDomain[]> {
  const { searchDomains } = await graphql<{ searchDomains: { __typename: string; name: string }[] }>(
    http,
    PAGE_OPERATIONS.searchDomains,
  );
  return searchDomains
    .map(({ __typename, name }) => ({ name, isView: __typename === 'View' }))
    .sort((left, right) => Number(left.isView) - Number(right.isView));
}

/** An ingest token of a repository, if there is one. */
export async function findIngestToken(http: Http, repository: string): Promise<string | undefined> {
  const { repository: found } = await graphql<{ repository: { ingestTokens: { token: string }[] } }>(
    http,
    LOCAL_OPERATIONS.ingestToken,
    { name: repository },
  );
  return found.ingestTokens[0]?.token;
}

/** Stores one record with the user token. */
export async function sendTestRecord(http: Http, repository: string): Promise<void> {
  const attributes = { level: 'info', msg: 'Hello from the web page', ms: 42, user: { id: 7, plan: 'pro' } };
  const event = { timestamp: Date.now(), attributes };
  await http.send('POST', `api/v1/repositories/${encodeURIComponent(repository)}/ingest`, {
    body: [{ tags: { service: 'test' }, events: [event] }],
  });
}
