import { type Context, Hono } from 'hono';
import { connectionOf } from '../http/connection.ts';
import { HttpError } from '../http/http-error.ts';
import { LiveStream } from '../queries/live-stream.ts';
import { type QueryRequest, readQueryRequest } from '../queries/query-request.ts';
import { QueryTimeoutError } from '../queries/query-slices.ts';
import { type RowFormat, rowFormatFor } from '../queries/row-format.ts';
import { streamRows } from '../queries/row-stream.ts';
import { aggregateRows, type StaticStreamOptions, streamMatches } from '../queries/static-stream.ts';
import { textStream } from '../queries/text-stream.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { Repository } from '../repository.ts';
import type { ServerContext } from '../server-context.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { readJsonObject } from './json-body.ts';
import { REPOSITORY_PATH, repositoryOf } from './repository-path.ts';

/** Streaming queries: the rows are the answer itself. */
export function queryRoutes(context: ServerContext): Hono {
  const { authentication, clock, options } = context;
  const routes = new Hono();
  routes.post(`${REPOSITORY_PATH}/query`, async (c) => {
    authentication.requireUser(c.req.raw);
    const repository = repositoryOf(context, c);
    const request = readQueryRequest(await readJsonObject(c, options.maxRequestBytes), clock.now());
    const format = rowFormatFor(c.req.header('accept'));
    const ending = new AbortController();
    const end = (): void => ending.abort();
    context.closing.addEventListener('abort', end, { once: true });
    const onEnd = (): void => {
      context.closing.removeEventListener('abort', end);
      ending.abort();
    };
    try {
      const { pieces, onClose } = await open({ context, repository, request, format, signal: ending.signal });
      const body = textStream(pieces, {
        connection: connectionOf(c.env),
        onEnd: () => {
          onClose?.();
          onEnd();
        },
      });
      return c.body(body, 200, headersFor(c, format));
    } catch (error) {
      onEnd();
      throw error;
    }
  });
  return routes;
}

interface StreamSource {
  readonly context: ServerContext;
  readonly repository: Repository;
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
  const { store } = repository;
  const common = { request, store, format, now: clock.now(), timeoutMs: options.queryTimeoutMs, signal };
  if (request.around !== undefined) throw new HttpError(400, "'around' only works with query jobs.");
  if (!request.isLive) {
    if (!request.plan.isAggregate) return { pieces: streamMatches(common) };
    return { pieces: streamRows(await requireRows(common), format) };
  }
  if (request.plan.isAggregate) {
    throw new HttpError(400, 'A live query with an aggregate function can only run as a query job.');
  }
  const live = new LiveStream({
    ...common,
    keepAliveIntervalMs: options.keepAliveIntervalMs,
    maxPendingBytes: 2 * options.maxRequestBytes,
  });
  return { pieces: live.pieces(), onClose: () => live.close() };
}

async function requireRows(options: StaticStreamOptions): Promise<readonly StoredEvent[]> {
  try {
    const rows = await aggregateRows(options);
    if (rows !== undefined) return rows;
  } catch (error) {
    throw error instanceof QueryTimeoutError ? new HttpError(500, error.message) : error;
  }
  throw new HttpError(503, 'The server is closing.');
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
