import { listSearchDomains } from '../api/repositories.ts';
import { forEachKey } from '../state/for-each-key.ts';
import { http, repositories, search, token } from '../state/page-state.ts';
import { hasGraphql, isMissingApi, reportName } from '../state/service.ts';
import { keepToken } from '../state/token.ts';
import { reportFailure, retried } from './failure.ts';

/** The views of a service without GraphQL, which is Next-Gen SIEM. */
const NGSIEM_VIEWS = ['search-all', 'investigate_view', 'third-party'];

/** Loads the repositories, and again for each new token, which may have access to others. */
export function startLoadingRepositories(): void {
  if (reportName !== undefined) {
    repositories.value = [{ name: reportName, isView: true }];
    return;
  }
  // If the URL names a repository, its search reports the problem.
  const onFailure = (error: unknown): void => {
    if (search.value.repository === '') reportFailure(error);
  };
  forEachKey(
    () => token.value,
    (signal) => void retried(() => load(token.value, signal), signal, onFailure),
  );
}

async function load(used: string, signal: AbortSignal): Promise<void> {
  const domains = await listSearchDomains(http).catch((error: unknown) => {
    if (!isMissingApi(error)) throw error;
    hasGraphql.value = false;
    return NGSIEM_VIEWS.map((name) => ({ name, isView: true }));
  });
  if (signal.aborted) return;
  repositories.value = domains;
  if (used !== '') keepToken(used);
}
