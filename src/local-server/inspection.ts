import type { RequestFilter, RequestLog, RequestRecord } from './http/request-log.ts';
import type { JobRunner } from './queries/job-runner.ts';
import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';
import type { StoredEvent } from './store/stored-event.ts';

/** A query job, as seen from inside. */
export interface InspectedJob {
  readonly id: string;
  readonly repository: string;
  readonly queryString: string;
  readonly isLive: boolean;
}

/** What a repository holds, in numbers. */
export interface InspectedStore {
  readonly events: number;
  /** Names and values as text. */
  readonly bytes: number;
  /** Events that had to make room for newer ones. */
  readonly evicted: number;
  /** Live streams that are open. */
  readonly liveStreams: number;
}

/** A direct look at the state of a server, for tests that want to be sure without asking over the wire. */
export interface Inspection {
  /**
   * Copies of the events of a repository, oldest first; every value is text.
   *
   * @param repository default: the one that is there from the start.
   * @throws Error for an unknown repository.
   */
  events(repository?: string): Record<string, string>[];
  /** @throws Error for an unknown repository. */
  store(repository?: string): InspectedStore;
  /** The query jobs that are alive, oldest first. */
  jobs(): InspectedJob[];
  /** The last requests (10,000 at least), oldest first; all of them, or those that fit. */
  requests(filter?: RequestFilter): RequestRecord[];
}

/** The parts of a server that an inspection looks at. */
export class ServerInspection implements Inspection {
  readonly #defaultRepository: string;
  readonly #repositories: Repositories;
  readonly #jobs: JobRunner;
  readonly #requests: RequestLog;

  constructor(defaultRepository: string, repositories: Repositories, jobs: JobRunner, requests: RequestLog) {
    this.#defaultRepository = defaultRepository;
    this.#repositories = repositories;
    this.#jobs = jobs;
    this.#requests = requests;
  }

  events(repository = this.#defaultRepository): StoredEvent[] {
    const stretches = this.#require(repository).store.snapshot(
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    );
    return stretches.flatMap(({ events, start, end }) =>
      Array.from({ length: end - start }, (_, index) => ({ ...events.row(start + index) })),
    );
  }

  store(repository = this.#defaultRepository): InspectedStore {
    const { count, bytes, evicted, followers } = this.#require(repository).store;
    return { events: count, bytes, evicted, liveStreams: followers };
  }

  jobs(): InspectedJob[] {
    return this.#jobs.list().map(({ id, repository, request: { queryString, isLive } }) => ({
      id,
      repository: repository.name,
      queryString,
      isLive,
    }));
  }

  requests(filter?: RequestFilter): RequestRecord[] {
    return this.#requests.list(filter);
  }

  #require(name: string): Repository {
    const repository = this.#repositories.get(name);
    if (repository !== undefined) return repository;
    const names = this.#repositories.list().map((known) => known.name);
    throw new Error(`There is no repository "${name}". There is: ${names.join(', ')}.`);
  }
}
