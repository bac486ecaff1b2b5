import { useEffect, useState } from 'preact/hooks';
import { path } from '../../core/http/path.ts';
import type { PatternGroups } from '../../core/records/pattern-groups.ts';
import { explanationOf } from '../api/http.ts';
import { fullQuery } from '../search/query-text.ts';
import { isDue, isLive, searchInput } from '../search/run-search.ts';
import { http, repository, search, token } from '../state/page-state.ts';
import { hasOlder, searchCount } from '../state/results.ts';
import { isMissingApi, serviceUrl } from '../state/service.ts';

const REFRESH_MS = 5000;
/** The server reads all records before it responds. */
const TIMEOUT_MS = 300_000;

/** What the server has computed. */
export interface Loaded<Result> {
  readonly result?: Result;
  /** Why there are none; empty if the server can't compute them. */
  readonly failure?: string;
}

/** Patterns of the whole result, unless all of it is loaded anyway; `undefined` until the server responds. */
export function useServerPatterns(): Loaded<PatternGroups> | undefined {
  return useServer('patterns', hasOlder.value);
}

/** What the server computes of the whole result; `undefined` until it responds. */
export function useServer<Result>(name: string, isUseful = true): Loaded<Result> | undefined {
  const [loaded, setLoaded] = useState<Loaded<Result> & { readonly key: string }>();
  const body = { ...searchInput(search.value), queryString: fullQuery(search.value) };
  const key = JSON.stringify([repository.value, body, token.value, searchCount.value, isLive(search.value)]);
  const isNeeded = isUseful && serviceUrl === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const leaving = new AbortController();
    void keepLoading<Result>(name, body, leaving.signal, (result) => setLoaded({ ...result, key }));
    return () => leaving.abort();
  }, [key, isNeeded]);
  if (!isNeeded) return { failure: '' };
  return loaded?.key === key ? loaded : undefined;
}

async function keepLoading<Result>(
  name: string,
  data: object,
  signal: AbortSignal,
  show: (result: Loaded<Result>) => void,
): Promise<void> {
  const endpoint = path`repositories/${repository.value}/${name}`;
  let begun: number;
  do {
    begun = performance.now();
    try {
      const response = await http.callRest('POST', endpoint, { data, signal, timeoutMs: TIMEOUT_MS });
      show({ result: await response.json<Result>() });
    } catch (error) {
      if (signal.aborted) return;
      show({ failure: isMissingApi(error) ? '' : explanationOf(error) });
    }
  } while (await isDue(REFRESH_MS, begun, signal));
}
