import { LOCAL_OPERATIONS } from '../../core/wire/page-operations.ts';
import { graphql } from './graphql.ts';
import type { Http } from './http.ts';
import { queryResult } from './query-jobs.ts';

/** What is known of a repository; what the service doesn't report is `undefined`. */
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

/** Long before any log, and the last moment of a `Date`: records with times in a wrong unit count, too. */
const ALL_TIME = { start: 0, end: 8_640_000_000_000_000 };
const LAST_MOMENT = '+275760-09-13T00:00:00Z';

export async function loadFacts(
  http: Http,
  repository: string,
  signal: AbortSignal,
): Promise<RepositoryFacts> {
  const all = { ...ALL_TIME, queryString: 'stats([count(as=records), min(@timestamp, as=oldest)])' };
  const recent = { start: '1m', end: 'now', useIngestTime: true, queryString: 'count()' };
  const [whole, minute, bytes, limits] = await Promise.all([
    queryResult(http, repository, all, signal),
    queryResult(http, repository, recent, signal),
    sizeOf(http, repository).catch(() => undefined),
    limitsOf(http, signal).catch(() => undefined),
  ]);
  const [row] = whole.events;
  const oldest = row?.oldest;
  return {
    records: Number(row?.records ?? 0),
    oldest: oldest === undefined || oldest === '' ? undefined : Number(oldest),
    lastMinute: Number(minute.events[0]?._count ?? 0),
    bytes,
    maxBytes: limits?.maxBytes,
    maxRecords: limits?.maxRecords,
  };
}

async function sizeOf(http: Http, name: string): Promise<number> {
  const { repository } = await graphql<{ repository: { uncompressedByteSize: number } }>(
    http,
    LOCAL_OPERATIONS.repositorySize,
    { name },
  );
  return repository.uncompressedByteSize;
}

interface Health {
  readonly oks?: readonly { readonly fields?: Readonly<Record<string, string>> }[];
}

/** The local server reports its limits with its health. */
async function limitsOf(
  http: Http,
  signal: AbortSignal,
): Promise<Partial<Record<'maxBytes' | 'maxRecords', number>>> {
  const { oks = [] } = await http.json<Health>('GET', 'api/v1/health-json', { signal });
  const numberOf = (name: string): number | undefined => {
    const text = oks.find(({ fields }) => fields?.[name] !== undefined)?.fields?.[name];
    return text === undefined ? undefined : Number(text);
  };
  const [maxBytes, maxRecords] = [numberOf('maxBytesPerRepository'), numberOf('maxEventsPerRepository')];
  return {
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(maxRecords === undefined ? {} : { maxRecords }),
  };
}

/** Deletes all records of a repository. */
export async function deleteRecords(http: Http, repositoryName: string): Promise<void> {
  const input = { repositoryName, start: '1970-01-01T00:00:00Z', end: LAST_MOMENT, query: '*' };
  await graphql(http, LOCAL_OPERATIONS.deleteEvents, { input });
}
