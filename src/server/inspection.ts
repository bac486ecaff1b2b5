import type { RequestFilter, RequestLog, RequestRecord } from './http/request-log.ts';
import type { Rejection } from './rejections/rejection.ts';
import type { Repository } from './repository.ts';
import type { ServerCore, ServerHost } from './server-context.ts';

/** A query job of the server. */
export interface InspectedJob {
  readonly id: string;
  readonly repository: string;
  readonly queryString: string;
  readonly isLive: boolean;
}

/** Statistics of a repository. */
export interface InspectedStore {
  readonly events: number;
  /** Size of field names and values, in bytes. */
  readonly bytes: number;
  /** Events evicted because of `maxEvents`, `maxBytes` or the retention. */
  readonly evicted: number;
  /** Open live streams. */
  readonly liveStreams: number;
}

/** Direct access to the state of a server, for tests. */
export interface Inspection {
  /** Returns the names of all repositories. */
  repositories(): string[];
  /**
   * Returns copies of the events of a repository, oldest first. All values are strings.
   *
   * @param repository default: the default repository of the server
   * @throws Error if the repository does not exist
   */
  events(repository?: string): Record<string, string>[];
  /** Returns statistics of a repository. @throws Error if the repository does not exist */
  store(repository?: string): InspectedStore;
  /** Returns the active query jobs, oldest first. */
  jobs(): InspectedJob[];
  /** Returns the rejected requests and events, one entry per cause, in the order of their first occurrence. */
  rejections(): Rejection[];
  /** Returns the latest requests (at least 10,000) that match the filter, oldest first. Default: all. */
  requests(filter?: RequestFilter): RequestRecord[];
}

/** Inspects a server through its parts. */
export function inspectionOf(
  { options, repositories }: ServerHost,
  requests: RequestLog,
  api: { readonly opened: { readonly core: ServerCore } | undefined },
): Inspection {
  const names = (): string[] => repositories.list().map(({ name }) => name);
  const find = (name = options.repository): Repository => {
    const repository = repositories.get(name);
    if (repository !== undefined) return repository;
    throw new Error(`There is no repository "${name}". Known: ${names().join(', ')}.`);
  };
  return {
    repositories: names,
    events: (name) => {
      const ranges = find(name).store.snapshot(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      return ranges.flatMap(({ events, start, end }) =>
        Array.from({ length: end - start }, (_, index) => ({ ...events.row(start + index) })),
      );
    },
    store: (name) => {
      const { count, bytes, evicted, followers } = find(name).store;
      return { events: count, bytes, evicted, liveStreams: followers };
    },
    jobs: () =>
      (api.opened?.core.jobs.list() ?? []).map(({ id, repository, request: { queryString, isLive } }) => {
        return { id, repository: repository.name, queryString, isLive };
      }),
    rejections: () => api.opened?.core.rejections.list() ?? [],
    requests: (filter) => requests.list(filter),
  };
}
