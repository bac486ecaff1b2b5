import { HttpError } from '../http/http-error.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { SearchDomain } from '../search-domain.ts';
import { domainEvents } from './domain-events.ts';
import { QueryCosts } from './query-costs.ts';
import { type JobRunnerOptions, QueryJob } from './query-job.ts';
import type { QueryRequest } from './query-request.ts';

/** Jobs keep results in memory; clients that never delete their jobs reach this limit. */
const MAX_JOBS = 2000;
const SWEEP_MS = 10_000;

/** The query jobs of a server. A job expires if it is not polled. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #jobs = new Map<string, QueryJob>();
  readonly #costs = new QueryCosts();
  /** Otherwise, expired results would stay in memory until the next call. */
  readonly #sweeper: NodeJS.Timeout;
  #created = 0;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => {
      this.#dropExpired();
      options.admission.advance();
    }, SWEEP_MS);
    // Browsers, which run the reports of tests, have numbers for timers.
    this.#sweeper.unref?.();
  }

  /** @throws HttpError 503 if there are too many jobs. */
  create(repository: SearchDomain, request: QueryRequest): QueryJob {
    this.#dropExpired();
    if (this.#jobs.size >= MAX_JOBS) {
      const message = `This server has ${MAX_JOBS} query jobs, the maximum. Delete some, or let them expire.`;
      throw new HttpError(503, message);
    }
    const job = new QueryJob({
      ...this.#options,
      id: `${++this.#created}-${resourceId(24)}`,
      repository,
      request,
      source: domainEvents(repository, this.#options.searchDomains, request.useIngestTime),
      totalCosts: this.#costs,
    });
    this.#jobs.set(job.id, job);
    return job;
  }

  get(id: string): QueryJob | undefined {
    const job = this.#jobs.get(id);
    if (job === undefined || !this.#isExpired(job)) return job;
    this.delete(id);
    return undefined;
  }

  delete(id: string): void {
    this.#jobs.get(id)?.cancel();
    this.#jobs.delete(id);
  }

  list(): QueryJob[] {
    this.#dropExpired();
    return [...this.#jobs.values()];
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const id of [...this.#jobs.keys()]) this.delete(id);
  }

  #dropExpired(): void {
    for (const [id, job] of [...this.#jobs]) if (this.#isExpired(job)) this.delete(id);
  }

  #isExpired({ request, polledAt }: QueryJob): boolean {
    const { clock, jobLifetimeMs, liveJobLifetimeMs } = this.#options;
    return clock.now() - polledAt > (request.isLive ? liveJobLifetimeMs : jobLifetimeMs);
  }
}
