import type { Context, Hono } from 'hono';
import { environmentOf, requestEnd } from '../environment.ts';
import { bodyStream, encoded } from '../http/body-stream.ts';
import { HttpError } from '../http/http-error.ts';
import { LiveStream } from '../queries/live-stream.ts';
import type { QueryShare } from '../queries/query-admission.ts';
import { limitMessage } from '../queries/query-limits.ts';
import { type QueryRequest, windowOf } from '../queries/query-request.ts';
import { preparedContext } from '../queries/query-slices.ts';
import { type RowFormat, rowFormatFor } from '../queries/row-format.ts';
import { resumed } from '../queries/row-writer.ts';
import { streamResult } from '../queries/static-stream.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, type RequestedQuery, readQuery, stopped, warnOfCut } from './request.ts';

export function queryRoutes(app: Hono, context: ServerContext): void {
  app.post(`${REPOSITORY_PATH}/query`, async (c) => {
    const requested = await readQuery(context, c);
    const format = rowFormatFor(c.req.header('accept'));
    const { connection } = environmentOf(c);
    // The client may disconnect while it waits for the first row.
    const end = requestEnd(c.req.raw, connection, context.closing);
    const { signal } = end;
    const onEnd = (): void => end.abort();
    const onFailure = (error: unknown): string | undefined =>
      signal.aborted ? undefined : warnOfCut(context, c, error);
    try {
      const pieces = await open(context, { ...requested, format, signal });
      return c.body(
        bodyStream(encoded(pieces), { connection, onEnd, onFailure }),
        200,
        headersFor(c, format),
      );
    } catch (error) {
      onEnd();
      throw error;
    }
  });
}

interface StreamRequest extends RequestedQuery {
  readonly format: RowFormat;
  readonly signal: AbortSignal;
}

interface StreamSource extends StreamRequest {
  readonly share: QueryShare;
}

/** Runs a query up to its first rows, so that an earlier failure can have a status. */
async function open(context: ServerContext, source: StreamRequest): Promise<AsyncGenerator<string>> {
  const { signal } = source;
  checkCanStream(source.request);
  const { isLive } = source.request;
  const share = context.admission.open({ isLive });
  signal.addEventListener('abort', () => share.close(), { once: true });
  const started = (): Promise<AsyncGenerator<string> | undefined> => start(context, { ...source, share });
  try {
    // A static query leaves the queue with its first rows. Then its reader sets the pace.
    const pieces = await (isLive ? started() : share.run(started));
    if (pieces !== undefined) return pieces;
  } catch (error) {
    const message = limitMessage(error);
    if (message !== undefined) throw new HttpError(500, message);
    if (!signal.aborted) throw error;
  }
  throw stopped();
}

function checkCanStream({ plan, isLive, around }: QueryRequest): void {
  if (around !== undefined) throw new HttpError(400, "'around' only works with query jobs.");
  if (isLive && plan.isAggregate) {
    throw new HttpError(400, 'A live query with an aggregate function can only run as a query job.');
  }
  if (isLive && plan.looksAhead) {
    throw new HttpError(
      400,
      'A live query with selfJoinFilter() can only run as a query job: new events change its result for older ones.',
    );
  }
}

async function start(
  { clock, options }: ServerContext,
  { repository, request, source, now, format, signal, share }: StreamSource,
): Promise<AsyncGenerator<string> | undefined> {
  const window = windowOf(request, now);
  const context = await preparedContext({ request, window, now, source, share });
  if (context === undefined) return undefined;
  const onIncomplete = (reasons: readonly string[]): void => {
    for (const reason of reasons) options.onWarning(`${request.queryString}: ${reason}`);
  };
  const common = { request, store: repository.store, format, context, window, share, signal, onIncomplete };
  if (!request.isLive) {
    return peekFirst(streamResult({ ...common, maxRows: options.maxQueryRows }));
  }
  const live = new LiveStream({
    ...common,
    clock,
    source,
    keepAliveIntervalMs: options.keepAliveIntervalMs,
    maxPendingBytes: 2 * options.maxRequestBytes,
  });
  return peekFirst(live.pieces());
}

async function peekFirst(pieces: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const { value, done } = await pieces.next();
  return done === true ? pieces : resumed(value, pieces);
}

function headersFor(c: Context, { contentType }: RowFormat): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': contentType,
    'humio-query-id': `IQ-${resourceId(24)}`,
    // Rows are sent as they are found: no proxy should buffer them.
    'cache-control': 'no-store',
  };
  const fileName = c.req.header('x-desired-filename');
  if (fileName !== undefined) {
    headers['content-disposition'] = `attachment; filename="${fileName.replaceAll(/["\\]/g, '_')}"`;
  }
  return headers;
}
