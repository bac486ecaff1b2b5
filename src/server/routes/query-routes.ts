import type { Context, Hono } from 'hono';
import { environmentOf } from '../environment.ts';
import { bodyStream, encoded } from '../http/body-stream.ts';
import { HttpError } from '../http/http-error.ts';
import { LiveStream } from '../queries/live-stream.ts';
import { type QueryRequest, windowOf } from '../queries/query-request.ts';
import { preparedContext } from '../queries/query-slices.ts';
import { type RowFormat, rowFormatFor } from '../queries/row-format.ts';
import { resumed } from '../queries/row-writer.ts';
import { type StreamOptions, streamResult } from '../queries/static-stream.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, type RequestedQuery, readQuery, runForClient, warnOfCut } from './request.ts';

export function queryRoutes(app: Hono, context: ServerContext): void {
  app.post(`${REPOSITORY_PATH}/query`, async (c) => {
    const requested = await readQuery(context, c);
    checkCanStream(requested.request);
    const format = rowFormatFor(c.req.header('accept'));
    const { isLive } = requested.request;
    const body = await runForClient(context, c, isLive, async (share, end) => {
      const { signal } = end;
      const started = (): Promise<AsyncGenerator<string> | undefined> =>
        start(context, { ...requested, format, signal, share });
      // A static query leaves the queue with its first rows. Then its reader sets the pace.
      const pieces = await (isLive ? started() : share.run(started));
      return (
        pieces &&
        bodyStream(encoded(pieces), {
          connection: environmentOf(c).connection,
          onEnd: () => end.abort(),
          onFailure: (error) => (signal.aborted ? undefined : warnOfCut(context, c, error)),
        })
      );
    });
    return c.body(body, 200, headersFor(c, format));
  });
}

function checkCanStream({ plan, isLive, around }: QueryRequest): void {
  if (around !== undefined) throw new HttpError(400, "'around' only works with query jobs.");
  if (isLive && plan.isAggregate) {
    throw new HttpError(400, 'A live query with an aggregate function can only run as a query job.');
  }
  if (isLive && plan.looksAhead) {
    const message =
      'A live query with selfJoinFilter() can only run as a query job: new events change its result for older ones.';
    throw new HttpError(400, message);
  }
}

interface StreamRequest extends RequestedQuery, Pick<StreamOptions, 'format' | 'signal' | 'share'> {}

/** Runs a query up to its first rows, so that an earlier failure can have a status. */
async function start(
  { clock, options }: ServerContext,
  requested: StreamRequest,
): Promise<AsyncGenerator<string> | undefined> {
  const { request, now } = requested;
  const window = windowOf(request, now);
  const context = await preparedContext(requested, window, now);
  if (context === undefined) return undefined;
  const onIncomplete = (reasons: readonly string[]): void => {
    for (const reason of reasons) options.onWarning(`${request.queryString}: ${reason}`);
  };
  const common = { ...requested, context, window, onIncomplete };
  if (!request.isLive) {
    return peekFirst(streamResult(common, options.maxQueryRows));
  }
  const { keepAliveIntervalMs, maxRequestBytes } = options;
  const maxPendingBytes = 2 * maxRequestBytes;
  return peekFirst(new LiveStream({ ...common, clock, keepAliveIntervalMs, maxPendingBytes }).pieces());
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
