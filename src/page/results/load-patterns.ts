import { useEffect, useState } from 'preact/hooks';
import { path } from '../../core/http/path.ts';
import type { PatternGroups } from '../../core/records/pattern-groups.ts';
import { explanationOf } from '../api/http.ts';
import type { Row } from '../api/rows.ts';
import { fullQuery } from '../search/query-text.ts';
import { keepLoading, searchInput, searchKey } from '../search/run-search.ts';
import { http, repository, search } from '../state/page-state.ts';
import { hasOlder, type Interval, viewRows } from '../state/results.ts';
import { isMissingApi, serviceUrl } from '../state/service.ts';

/** The server reads all records before it responds. */
const TIMEOUT_MS = 300_000;

/** What the server has computed. */
export interface Loaded<Result> {
  readonly result?: Result;
  /** Why there are none; empty if the server can't compute them. */
  readonly failure?: string;
}

/** Patterns of the whole result or a part of its interval, unless all of it is loaded anyway; `undefined` until the server responds. */
export function useServerPatterns(part: Interval | undefined): Loaded<PatternGroups> | undefined {
  return useServer('patterns', hasOlder.value, part);
}

/** Makes an export contain the rows of a view instead of those of the search. */
export function useViewRows(rows: () => readonly Row[]): void {
  useEffect(() => {
    viewRows.value = rows;
    return () => {
      viewRows.value = undefined;
    };
  });
}

/** What the server computes of the whole result; `undefined` until it responds. */
export function useServer<Result>(
  name: string,
  isUseful = true,
  part?: Interval,
): Loaded<Result> | undefined {
  const [loaded, setLoaded] = useState<Loaded<Result> & { readonly key: string }>();
  const body = { ...searchInput(search.value), ...part, queryString: fullQuery(search.value) };
  const key = searchKey.value + JSON.stringify(part);
  const isNeeded = isUseful && serviceUrl === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    void keepLoading(async () => {
      const result = await load<Result>(name, body, signal);
      if (!signal.aborted) setLoaded({ ...result, key });
    }, signal);
    return () => leaving.abort();
  }, [key, isNeeded]);
  if (!isNeeded) return { failure: '' };
  return loaded?.key === key ? loaded : undefined;
}

async function load<Result>(name: string, data: object, signal: AbortSignal): Promise<Loaded<Result>> {
  const endpoint = path`repositories/${repository.value}/${name}`;
  try {
    const response = await http.callRest('POST', endpoint, { data, signal, timeoutMs: TIMEOUT_MS });
    return { result: await response.json<Result>() };
  } catch (error) {
    return { failure: isMissingApi(error) ? '' : explanationOf(error) };
  }
}
