import { LogConnectionDroppedException, LogQueryException } from '../../core/errors.ts';
import { type CallOptions, callOptionsOf } from '../../core/http/call-options.ts';
import { STREAM_IDLE_MS } from '../../core/http/http-caller.ts';
import { isLogScale } from '../../core/http/service-kind.ts';
import { badAnswer, serviceIds } from '../../core/http/web-response.ts';
import { WebStreamer } from '../../core/http/web-streamer.ts';
import { ItemsOfBatches } from '../../core/items-of-batches.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { withNumbers } from '../../core/number-columns.ts';
import { resolveTimeout } from '../../core/option-checks.ts';
import { tryOr } from '../../core/try-or.ts';
import { INCOMPLETE_RESPONSE } from '../../core/wire/incomplete-response.ts';
import type { LogEvent, QueryInput } from '../../core/wire/query.ts';
import { jobRows } from './job-rows.ts';
import { postStreamingQuery, type QueryScope } from './query-endpoint.ts';
import { type QueryOptions, resolveQueryInput } from './query-options.ts';

/** Services that send keep-alive lines send one every ten seconds. */
export const LIVE_IDLE_MS = 60_000;

/** Options of a streaming query. */
export interface StreamingQueryOptions extends QueryOptions {
  /**
   * Maximum time that the service may be silent, in milliseconds. The query then fails with a
   * LogConnectionDroppedException, because its connection is probably dead. A keep-alive line counts
   * as a sign of life. The time that the reader takes doesn't count. `Infinity` disables the limit.
   *
   * @default 60_000 for live queries, 300_000 for others
   */
  idleTimeoutMs?: number | undefined;
}

/** See `LogClient.streamingQuery`. Throws a LogOptionsException immediately; all other errors while iterating. */
export function streamingQuery<Row extends object = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: StreamingQueryOptions = {},
): AsyncGenerator<Row, void, undefined> {
  const input = resolveQueryInput('streamingQuery', queryString, options, ['idleTimeoutMs']);
  const { idleTimeoutMs } = options;
  resolveTimeout('streamingQuery', idleTimeoutMs, 0, 'idleTimeoutMs');
  const call = callOptionsOf('streamingQuery', options);
  return streamRows<Row>({ ...scope, numbers: options.numbers }, input, call, idleTimeoutMs);
}

/** The rows of a query with validated options, by the streaming endpoint if the service has it. */
export function streamRows<Row extends object>(
  scope: QueryScope,
  input: QueryInput,
  options: CallOptions & Pick<StreamedRowsOptions, 'stream'>,
  idleTimeoutMs = input.isLive ? LIVE_IDLE_MS : STREAM_IDLE_MS,
): AsyncGenerator<Row, void, undefined> {
  const open = (signal: AbortSignal): AsyncGenerator<readonly Row[], void, undefined> =>
    isLogScale(scope.service)
      ? streamedRows<Row>(scope, input, { ...options, signal, idleTimeoutMs })
      : jobRows<Row>(scope, input, callOptionsOf('streamingQuery', { ...options, signal }));
  return new ItemsOfBatches(open, options);
}

export interface StreamedRowsOptions extends CallOptions {
  readonly idleTimeoutMs: number;
  /** False for a query that soon ends by itself: it shares the sockets of other calls. @default true */
  readonly stream?: boolean;
  /** Called when the response starts and after each read, keep-alive lines included. */
  readonly onAlive?: () => void;
}

/** The rows of a streaming query, as they arrive together. */
export async function* streamedRows<Row extends object>(
  scope: QueryScope,
  input: QueryInput,
  { onAlive, idleTimeoutMs, ...options }: StreamedRowsOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const send = (call: CallOptions) => postStreamingQuery(scope, input, { ...call, idleTimeoutMs });
  const response = await scope.webCaller.retry(options, send).catch((error: unknown) => {
    const isLiveRefusal = error instanceof LogQueryException && /aggregat|live/i.test(error.message);
    throw input.isLive && isLiveRefusal ? withWatchHint(error) : error;
  });
  onAlive?.();
  const streamer = new WebStreamer(response);
  let lineNumber = 0;
  for await (const lines of streamer.batches()) {
    onAlive?.();
    const rows: Row[] = [];
    try {
      for (const line of lines) {
        const row = parseRow<Row>(line, ++lineNumber, streamer);
        rows.push(withNumbers(row, scope.numbers));
      }
    } finally {
      // Also those before a bad line.
      yield rows;
    }
  }
  if (input.isLive && !streamer.isInLastLine) {
    const message = 'The service ended a live query, which has no end.';
    throw new LogConnectionDroppedException(message, serviceIds(response));
  }
}

function parseRow<Row>(line: string, lineNumber: number, { isInLastLine, response }: WebStreamer): Row {
  const value: unknown = tryOr(undefined, () => JSON.parse(line));
  if (isJsonObject(value)) return value as Row;
  const ids = serviceIds(response);
  // Only the local server says why.
  if (line.startsWith(INCOMPLETE_RESPONSE)) throw new LogConnectionDroppedException(line, ids);
  // A truncated line is never valid JSON, so no truncation goes unnoticed.
  if (isInLastLine && value === undefined) {
    const cut = `The response to ${response.method} ${response.path} ended in the middle of a line.`;
    throw new LogConnectionDroppedException(cut, ids);
  }
  const excerpt = response.excerpt?.(line) ?? '';
  const message = `Line ${lineNumber} of the response to a streaming query is not a JSON object: ${excerpt}`;
  throw badAnswer(response, message, excerpt);
}

const WATCH_HINT =
  'tail() and streamingQuery() need a query whose rows are events, with their @id. Use watch() for other queries.';

/** Says in the rejection of a live query what shows other rows than events. */
export function withWatchHint(refusal: LogQueryException): LogQueryException {
  const { message } = refusal;
  if (message.endsWith(WATCH_HINT)) return refusal;
  return new LogQueryException(`${message}\n${WATCH_HINT}`, { ...refusal, cause: refusal });
}
