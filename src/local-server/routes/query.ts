import { type Context, Hono } from 'hono';
import { connectionOf } from '../http/connection.ts';
import { HttpError } from '../http/http-error.ts';
import { domainEvents } from '../queries/domain-events.ts';
import { runLimitsOf } from '../queries/job-runner.ts';
import { LiveStream } from '../queries/live-stream.ts';
import { peekFirst } from '../queries/peek-first.ts';
import { limitMessage } from '../queries/query-limits.ts';
import { type QueryRequest, readQueryRequest, windowOf } from '../queries/query-request.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import { type RowFormat, rowFormatFor } from '../queries/row-format.ts';
import { streamRows } from '../queries/row-stream.ts';
import { preparedContext } from '../queries/run-preparation.ts';
import { despiteStandstills } from '../queries/standstills.ts';
import { aggregateRows, streamMatches } from '../queries/static-stream.ts';
import { textStream } from '../queries/text-stream.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { ServerContext } from '../server-context.ts';
import { warnOfCut } from './cut-answer.ts';
import { readJsonObject } from './json-body.ts';
import { REPOSITORY_PATH, searchDomainOf } from './repository-path.ts';

/** Streaming queries: the rows are the answer itself. */
export function queryRoutes(context: ServerContext): Hono {
  const { authentication, clock, options } = context;
  const routes = new Hono();
  routes.post(`${REPOSITORY_PATH}/query`, async (c) => {
    authentication.requireUser(c.req.raw);
    const repository = searchDomainOf(context, c);
    const library = repositoryLibrary(repository, context.searchDomains, context.referenceData);
    const body = await readJsonObject(c, options.maxRequestBytes);
    const request = readQueryRequest(body, clock.now(), library, repository.eventFilter);
    const format = rowFormatFor(c.req.header('accept'));
    const ending = new AbortController();
    const end = (): void => ending.abort();
    context.closing.addEventListener('abort', end, { once: true });
    onLeave(c, end);
    const onEnd = (): void => {
      context.closing.removeEventListener('abort', end);
      ending.abort();
    };
    try {
      const { pieces, onClose } = await open({ context, repository, request, format, signal: ending.signal });
      const answer = textStream(pieces, {
        connection: connectionOf(c.env),
        onFailure: (error) => {
          if (!ending.signal.aborted) warnOfCut(context, c, error);
        },
        onEnd: () => {
          onClose?.();
          onEnd();
        },
      });
      return c.body(answer, 200, headersFor(c, format));
    } catch (error) {
      onEnd();
      throw error;
    }
  });
  return routes;
}

/** Tells when the client is gone, also while it waits for the first row. */
function onLeave(c: Context, end: () => void): void {
  const connection = connectionOf(c.env);
  if (connection === undefined) c.req.raw.signal.addEventListener('abort', end, { once: true });
  else connection.outgoing.once('close', end);
}

interface StreamSource {
  readonly context: ServerContext;
  readonly repository: SearchDomain;
  readonly request: QueryRequest;
  readonly format: RowFormat;
  readonly signal: AbortSignal;
}

interface OpenStream {
  readonly pieces: AsyncGenerator<string>;
  readonly onClose?: () => void;
}

async function open({ context, repository, request, format, signal }: StreamSource): Promise<OpenStream> {
  const { clock, options } = context;
  const { plan, isLive } = request;
  if (request.around !== undefined) throw new HttpError(400, "'around' only works with query jobs.");
  if (isLive && plan.isAggregate) {
    throw new HttpError(400, 'A live query with an aggregate function can only run as a query job.');
  }
  if (isLive && plan.looksAhead) {
    throw new HttpError(
      400,
      'A live query with selfJoinFilter() can only run as a query job: new events change its result for older ones.',
    );
  }
  const source = domainEvents(repository, context.searchDomains, request.useIngestTime);
  const limits = { timeoutMs: options.queryTimeoutMs, spent: { ms: 0 } };
  const now = clock.now();
  const window = windowOf(request, now);
  const { start, end } = window;
  const asked = { start, end, now, timeZone: request.timeZone, limits: runLimitsOf(options) };
  const isStopped = (): boolean => signal.aborted;
  const started = await failBeforeHeaders(signal, () =>
    despiteStandstills(() => preparedContext({ plan, context: asked, source, limits, isStopped })),
  );
  const common = {
    request,
    store: repository.store,
    format,
    context: started,
    window,
    maxRows: options.maxQueryRows,
    signal,
  };
  if (isLive) {
    const live = {
      ...common,
      clock,
      source,
      timeoutMs: options.queryTimeoutMs,
      keepAliveIntervalMs: options.keepAliveIntervalMs,
      maxPendingBytes: 2 * options.maxRequestBytes,
    };
    return failBeforeHeaders(signal, () => despiteStandstills(() => beginLive(new LiveStream(live))));
  }
  if (!plan.isAggregate) {
    return { pieces: await failBeforeHeaders(signal, () => peekFirst(streamMatches({ ...common, limits }))) };
  }
  const rows = () => despiteStandstills(() => aggregateRows({ ...common, limits }));
  return { pieces: streamRows(await failBeforeHeaders(signal, rows), format) };
}

async function beginLive(live: LiveStream): Promise<OpenStream> {
  try {
    return { pieces: await peekFirst(live.pieces()), onClose: () => live.close() };
  } catch (error) {
    live.close();
    throw error;
  }
}

/** What is computed before the answer begins, so that its failure can still be told. */
async function failBeforeHeaders<Result>(
  signal: AbortSignal,
  compute: () => Promise<Result | undefined>,
): Promise<Result> {
  try {
    const result = await compute();
    if (result !== undefined) return result;
  } catch (error) {
    const message = limitMessage(error);
    if (message !== undefined) throw new HttpError(500, message);
    if (!signal.aborted) throw error;
  }
  throw new HttpError(503, 'The query was stopped: its client disconnected, or the server is closing.');
}

function headersFor(c: Context, { contentType }: RowFormat): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': contentType,
    'humio-query-id': `IQ-${resourceId(24)}`,
    // Rows are sent as they are found: nothing on the way should wait for more.
    'cache-control': 'no-store',
  };
  const fileName = c.req.header('x-desired-filename');
  if (fileName !== undefined) {
    headers['content-disposition'] = `attachment; filename="${fileName.replaceAll(/["\\]/g, '_')}"`;
  }
  return headers;
}
