import { useEffect, useState } from 'preact/hooks';
import { path } from '../../core/http/path.ts';
import { explanationOf } from '../api/http.ts';
import type { Row } from '../api/rows.ts';
import { fullQuery } from '../search/query-text.ts';
import { keepLoading, searchInput, searchKey } from '../search/run-search.ts';
import { http, repository, search, set } from '../state/page-state.ts';
import { type Interval, viewRows } from '../state/results.ts';
import { isMissingApi, serviceUrl } from '../state/service.ts';

/** The server reads all records before it responds. */
const TIMEOUT_MS = 300_000;

/** Makes an export contain the rows of a view instead of those of the search. */
export function useViewRows(rows: () => readonly Row[]): void {
  useEffect(() => {
    viewRows.value = rows;
    return () => set(viewRows, undefined);
  });
}

/** What the server computes of the whole result, once it responds. A string says why it failed; empty if the server can't. */
export function useServer<Result extends object>(
  name: string,
  isUseful = true,
  part?: Interval,
): Result | string | undefined {
  const [loaded, setLoaded] = useState<{ readonly result: Result | string; readonly key: string }>();
  const body = { ...searchInput(search.value), ...part, queryString: fullQuery(search.value) };
  const key = searchKey.value + JSON.stringify(part);
  const isNeeded = isUseful && serviceUrl === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    void keepLoading(async () => {
      const result = await load<Result>(name, body, signal);
      if (!signal.aborted) setLoaded({ result, key });
    }, signal);
    return () => leaving.abort();
  }, [key, isNeeded]);
  if (!isNeeded) return '';
  return loaded?.key === key ? loaded.result : undefined;
}

async function load<Result>(name: string, data: object, signal: AbortSignal): Promise<Result | string> {
  const endpoint = path`repositories/${repository.value}/${name}`;
  try {
    const response = await http.callRest('POST', endpoint, { data, signal, timeoutMs: TIMEOUT_MS });
    return await response.json<Result>();
  } catch (error) {
    return isMissingApi(error) ? '' : explanationOf(error);
  }
}
