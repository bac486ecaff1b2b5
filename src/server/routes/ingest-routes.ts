import type { Context, Hono } from 'hono';
import { parseLongJson, type SlicedWork } from '../../engine/index.ts';
import { environmentOf } from '../environment.ts';
import { runInSlices } from '../event-loop.ts';
import { forbidden, type Principal } from '../http/authentication.ts';
import { HttpError, slicesOrMalformed } from '../http/http-error.ts';
import { readBody, textOf } from '../http/request-body.ts';
import { EventBuilder, type Incomplete } from '../ingest/event-builder.ts';
import { jsonEvents, messageEvents, rawEvents } from '../ingest/message-events.ts';
import { RepositoryParsers } from '../ingest/repository-parsers.ts';
import { ofRecord } from '../ingest/request-shape.ts';
import { type IngestTarget, structuredEvents } from '../ingest/structured-events.ts';
import { FormatCache, structuredText } from '../ingest/structured-text.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import { recordDoubtfulTimes } from '../rejections/doubtful-times.ts';
import { recordRejection } from '../rejections/record-rejections.ts';
import type { Repository } from '../repository.ts';
import type { ServerContext } from '../server-context.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { RowBatch } from '../store/row-batch.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { REPOSITORY_PATH, repositoryOf } from './request.ts';

/** Reads the events of a body. Throws if any of it is invalid: a request is stored completely or not at all. */
export type Reader = (body: Buffer, target: IngestTarget, c: Context) => SlicedWork<EventBatch>;

const messages: Reader = function* (body, target) {
  return yield* rowsOf(messageEvents(yield* parseBody(textOf(body)), target));
};
const json: Reader = function* (body, target) {
  return yield* rowsOf(jsonEvents(yield* parseBody(textOf(body)), target));
};
const raw: Reader = (body, target) => rowsOf(rawEvents(textOf(body), target));

function structuredReader(): Reader {
  const formats = new FormatCache();
  return function* (body, target) {
    const text = textOf(body);
    const batch = target.parser === undefined && (yield* structuredText(text, { ...target, formats }));
    return batch || (yield* rowsOf(structuredEvents(yield* parseBody(text), target)));
  };
}

const USER_TOKEN_FIX =
  'A user token has no repository. Use an ingest token, or send to /api/v1/repositories/{repository}/ingest.';
const MAX_EXCERPT_BYTES = 1000;

/** Storing more at once would block other requests. */
const MAX_EVENTS = 250_000;

/** @throws HttpError 413 if a request has too many events. */
export function checkCount(events: number): void {
  if (events <= MAX_EVENTS) return;
  throw new HttpError(413, `A request can have at most ${MAX_EVENTS} events. Send several requests.`);
}

/** @param records the events of each record: a parser can create many from one, or none */
export function* rowsOf(records: Iterable<readonly StoredEvent[]>): SlicedWork<EventBatch> {
  const rows: StoredEvent[] = [];
  for (const events of records) {
    for (const event of events) checkCount(rows.push(event));
    yield;
  }
  return new RowBatch(rows);
}

/** Stores the events that a reader finds in the body of a request. @throws HttpError if that fails. */
type IngestRequest = (c: Context, read: Reader, named?: () => Repository) => Promise<void>;

export function requestIngest(context: ServerContext): IngestRequest {
  const { authentication, clock, options } = context;
  const builder = new EventBuilder(clock, options.maxEventBytes);
  return async (c, read, named) => {
    const principal = authentication.principal(c.req.raw);
    const repository = named?.() ?? repositoryOfToken(principal);
    if (principal.kind === 'ingest' && principal.repository !== repository) throw forbidden();
    const parser = principal.kind === 'ingest' ? principal.parser : undefined;
    const body = await readBody(c, options.maxRequestBytes);
    const library = repositoryLibrary(repository, context.searchDomains);
    const parsers = new RepositoryParsers(repository.parsers, library);
    const incomplete = new Map<string, { readonly first: Incomplete; count: number }>();
    const reporting = builder.reporting((first) => {
      const cause = incomplete.get(first.reason) ?? { first, count: 0 };
      incomplete.set(first.reason, cause);
      cause.count++;
    });
    const now = clock.now();
    const target = { repository: repository.name, parser, parsers, builder: reporting, now };
    const endArrival = repository.store.beginArrival(now);
    let events: EventBatch;
    try {
      events = await runInSlices(read(body, target, c));
      environmentOf(c).bodyScript?.checkEvents?.(events);
      repository.store.append(events);
    } catch (error) {
      throw ofRecord(error, textOf(body.subarray(0, MAX_EXCERPT_BYTES)));
    } finally {
      endArrival();
    }
    recordDoubtfulTimes(context, c, events, repository);
    for (const { first, count } of incomplete.values())
      recordRejection(context, c, { status: 200, ...first }, count);
  };
}

/** The ingest endpoints: with a repository in the path, or with the token of one. */
export function ingestRoutes(app: Hono, context: ServerContext): void {
  const store = requestIngest(context);
  const structured = structuredReader();
  const ingest = async (c: Context, read: Reader, named?: () => Repository): Promise<Response> => {
    await store(c, read, named);
    return c.json({});
  };

  app.post('/api/v1/ingest/humio-structured', (c) => ingest(c, structured));
  app.post('/api/v1/ingest/humio-unstructured', (c) => ingest(c, messages));
  app.post('/api/v1/ingest/raw', (c) => ingest(c, raw));
  app.post('/api/v1/ingest/json', (c) => ingest(c, json));
  app.post(`${REPOSITORY_PATH}/ingest`, (c) => ingest(c, structured, () => repositoryOf(context, c)));
  app.post(`${REPOSITORY_PATH}/ingest-messages`, (c) => ingest(c, messages, () => repositoryOf(context, c)));
}

/** The repository of an ingest token. @throws HttpError 403 for a user token, which has none */
function repositoryOfToken(principal: Principal): Repository {
  if (principal.kind === 'ingest') return principal.repository;
  throw forbidden(USER_TOKEN_FIX);
}

/** Far deeper than any event may be; the check of events reports where it is nested too deeply. */
const MAX_DEPTH = 10_000;

/** The JSON value of a body. @throws HttpError 400 */
export function parseBody(text: string): SlicedWork<unknown> {
  return slicesOrMalformed(parseLongJson(text, MAX_DEPTH));
}
