import { useEffect, useState } from 'preact/hooks';
import { pause } from '../../core/delay.ts';
import { path } from '../../core/http/path.ts';
import type { PatternGroups } from '../../core/records/pattern-groups.ts';
import { explanationOf } from '../api/http.ts';
import { fullQuery } from '../search/query-text.ts';
import { isLive, searchInput } from '../search/run-search.ts';
import { http, repository, search, token } from '../state/page-state.ts';
import { hasOlder, searchCount } from '../state/results.ts';
import { isMissingApi, serviceUrl } from '../state/service.ts';

/** Refresh interval of a live search, in milliseconds. It is longer if the server takes long. */
const REFRESH_MS = 5000;
const SHARE_OF_TIME = 10;
/** The server reads all records before it responds. */
const TIMEOUT_MS = 300_000;

/** The patterns that the server has computed. */
export interface LoadedPatterns {
  readonly groups?: PatternGroups;
  /** Why there are none; empty if the server can't compute them. */
  readonly failure?: string;
}

/** Patterns of the whole result, unless all of it is loaded anyway; `undefined` until the server responds. */
export function useServerPatterns(): LoadedPatterns | undefined {
  const [loaded, setLoaded] = useState<LoadedPatterns & { readonly key: string }>();
  const body = { ...searchInput(search.value), queryString: fullQuery(search.value) };
  const key = JSON.stringify([repository.value, body, token.value, searchCount.value, isLive(search.value)]);
  const isNeeded = hasOlder.value && serviceUrl === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const leaving = new AbortController();
    void keepLoading(body, leaving.signal, (result) => setLoaded({ ...result, key }));
    return () => leaving.abort();
  }, [key, isNeeded]);
  if (!isNeeded) return { failure: '' };
  return loaded?.key === key ? loaded : undefined;
}

async function keepLoading(
  data: object,
  signal: AbortSignal,
  show: (result: LoadedPatterns) => void,
): Promise<void> {
  const endpoint = path`repositories/${repository.value}/patterns`;
  do {
    const begun = performance.now();
    try {
      const response = await http.callRest('POST', endpoint, { data, signal, timeoutMs: TIMEOUT_MS });
      show({ groups: await response.json<PatternGroups>() });
    } catch (error) {
      if (signal.aborted) return;
      show({ failure: isMissingApi(error) ? '' : explanationOf(error) });
    }
    await pause(Math.max(REFRESH_MS, SHARE_OF_TIME * (performance.now() - begun)), signal);
    while (document.hidden && !signal.aborted) await pause(REFRESH_MS, signal);
  } while (!signal.aborted && isLive(search.value));
}
