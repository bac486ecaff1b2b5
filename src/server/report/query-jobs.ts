import { emptyLibrary } from '../../engine/index.ts';
import { ServerClock } from '../clock.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { domainEvents } from '../queries/domain-events.ts';
import { findPatterns } from '../queries/find-patterns.ts';
import { JobRunner } from '../queries/job-runner.ts';
import { pollAnswerFormat } from '../queries/poll-answer.ts';
import { QueryAdmission } from '../queries/query-admission.ts';
import type { QueryJob } from '../queries/query-job.ts';
import { readQueryRequest } from '../queries/query-request.ts';
import { NO_ROWS, pageOf } from '../queries/result-page.ts';
import { streamRows } from '../queries/row-writer.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { SearchDomains } from '../search-domains.ts';
import { EventStore } from '../store/event-store.ts';
import { RowBatch } from '../store/row-batch.ts';
import type { StoredEvent } from '../store/stored-event.ts';

/** What a report contains. */
export interface ReportData {
  /** Name of the test. */
  readonly name: string;
  /** The query of the failed assertion; empty for all records. */
  readonly query: string;
  /** `now` in queries, epoch milliseconds: when the report was written, or the time of a later record. */
  readonly now: number;
  readonly records: readonly StoredEvent[];
}

const NO_LIMIT = Number.POSITIVE_INFINITY;
const LIMITS = {
  queryTimeoutMs: 30_000,
  jobLifetimeMs: NO_LIMIT,
  liveJobLifetimeMs: NO_LIMIT,
  maxQueryRows: 1_000_000,
  maxQueryGroups: 1_000_000,
  maxQueryBytes: 512 * 1024 * 1024,
};

const PATTERNS_PATH = /^api\/v1\/repositories\/[^/]+\/patterns$/;
const JOBS_PATH = /^api\/v1\/repositories\/[^/]+\/queryjobs(?:\/([\w-]+))?$/;

/** The query jobs and patterns of a local server, for the records of a report. It has no other API. */
export class ReportQueryJobs {
  readonly #clock: ServerClock;
  readonly #repository: SearchDomain;
  readonly #searchDomains: SearchDomains;
  readonly #jobs: JobRunner;
  readonly #admission = new QueryAdmission(LIMITS.maxQueryBytes, () => ({ used: 0, limit: 1 }));

  constructor({ name, now, records }: ReportData) {
    this.#clock = new ServerClock(now);
    const store = new EventStore({ maxEvents: NO_LIMIT, maxBytes: NO_LIMIT });
    store.append(new RowBatch(records));
    const none = { get: () => undefined };
    // A report has no lookup files and no saved queries.
    const repository = { name, store, files: none, savedQueries: none } as unknown as SearchDomain;
    this.#repository = repository;
    this.#searchDomains = { get: () => repository, list: () => [repository] } as unknown as SearchDomains;
    this.#jobs = new JobRunner({
      ...LIMITS,
      admission: this.#admission,
      clock: this.#clock,
      searchDomains: this.#searchDomains,
      // biome-ignore lint/suspicious/noConsole: in a browser, it is where failures of a page are reported.
      onWarning: (message) => console.error(message),
    });
  }

  /** @param path below the base URL of the API */
  async respond(method: string, path: string, body: string): Promise<Response> {
    const [isJobs, id] = JOBS_PATH.exec(path) ?? [];
    try {
      if (method === 'POST' && PATTERNS_PATH.test(path)) return await this.#patterns(JSON.parse(body));
      if (isJobs === undefined) throw notFound('A report only has query jobs and patterns.');
      if (id === undefined && method === 'POST') return Response.json({ id: this.#create(JSON.parse(body)) });
      const job = this.#jobs.get(id ?? '');
      if (job === undefined) throw notFound();
      if (method === 'GET') return await this.#poll(job);
      this.#jobs.delete(job.id);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (error instanceof HttpError) return error.toResponse();
      throw error;
    }
  }

  #create(body: Readonly<Record<string, unknown>>): string {
    const request = readQueryRequest(body, this.#clock.now(), emptyLibrary);
    return this.#jobs.create(this.#repository, request).id;
  }

  async #patterns(body: Readonly<Record<string, unknown>>): Promise<Response> {
    const now = this.#clock.now();
    const request = readQueryRequest(body, now, emptyLibrary);
    const source = domainEvents(this.#repository, this.#searchDomains, request.useIngestTime);
    const { store } = this.#repository;
    return Response.json(
      await findPatterns({
        request,
        store,
        source,
        now,
        share: this.#admission.open({ isLive: false }),
        limits: LIMITS,
        isStopped: () => false,
      }),
    );
  }

  async #poll(job: QueryJob): Promise<Response> {
    const state = await job.state();
    const page = state.result === undefined ? NO_ROWS : await pageOf(state.result, () => undefined);
    const format = pollAnswerFormat(job, state, page, this.#clock.now());
    let text = '';
    for await (const piece of streamRows(page.rows, format)) text += piece;
    return new Response(text, { headers: { 'content-type': format.contentType } });
  }
}
