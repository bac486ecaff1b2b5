import type { QuerySource } from '../../client/tail/query-source.ts';
import { MAX_EPOCH_MS } from '../../core/epoch.ts';
import type { HttpCaller } from '../../core/http/http-caller.ts';
import { LOCAL_OPERATIONS } from '../../core/wire/page-operations.ts';
import { queryResult } from './queries.ts';

/** Facts about a repository; `undefined` if the service doesn't report them. */
export interface RepositoryFacts {
  readonly records: number;
  /** Epoch milliseconds; `undefined` without records. */
  readonly oldest: number | undefined;
  /** Records that arrived in the last minute. */
  readonly lastMinute: number;
  /** `undefined` for a view. */
  readonly bytes: number | undefined;
  readonly maxBytes: number | undefined;
  readonly maxRecords: number | undefined;
}

/** From 1970 to the last time of a `Date`, to include records whose time has the wrong unit. */
export const ALL_TIME = { start: 0, end: MAX_EPOCH_MS };

export async function loadFacts(
  http: HttpCaller,
  source: QuerySource,
  signal: AbortSignal,
): Promise<RepositoryFacts> {
  const all = { ...ALL_TIME, queryString: 'stats([count(as=records), min(@timestamp, as=oldest)])' };
  const recent = { start: '1m', end: 'now', useIngestTime: true, queryString: 'count()' };
  const [whole, minute, bytes, limits] = await Promise.all([
    queryResult(source, { ...all, signal }),
    queryResult(source, { ...recent, signal }),
    sizeOf(http, source.repository).catch(() => undefined),
    limitsOf(http, signal).catch(() => ({ maxBytes: undefined, maxRecords: undefined })),
  ]);
  const [row] = whole.events;
  const oldest = row?.oldest;
  return {
    records: Number(row?.records ?? 0),
    oldest: oldest === undefined || oldest === '' ? undefined : Number(oldest),
    lastMinute: Number(minute.events[0]?._count ?? 0),
    bytes,
    ...limits,
  };
}

async function sizeOf(http: HttpCaller, name: string): Promise<number> {
  const { repository } = await http.callGraphql<{ repository: { uncompressedByteSize: number } }>({
    query: LOCAL_OPERATIONS.repositorySize,
    variables: { name },
  });
  return repository.uncompressedByteSize;
}

interface Health {
  readonly oks?: readonly { readonly fields?: Readonly<Record<string, string>> }[];
}

/** Limits of the local server, which are part of its health check. */
async function limitsOf(http: HttpCaller, signal: AbortSignal) {
  const { oks = [] } = await (await http.callRest('GET', 'health-json', { signal })).json<Health>();
  const numberOf = (name: string): number | undefined => {
    const text = oks.find(({ fields }) => fields?.[name] !== undefined)?.fields?.[name];
    return text === undefined ? undefined : Number(text);
  };
  return { maxBytes: numberOf('maxBytesPerRepository'), maxRecords: numberOf('maxEventsPerRepository') };
}

/** Deletes all records of a repository. */
export async function deleteRecords(http: HttpCaller, repositoryName: string): Promise<void> {
  const input = { repositoryName, start: '1970-01-01T00:00:00Z', end: '+275760-09-13T00:00:00Z', query: '*' };
  await http.callGraphql({ query: LOCAL_OPERATIONS.deleteEvents, variables: { input } });
}
