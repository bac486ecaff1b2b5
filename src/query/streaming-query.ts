import { LogConnectionDroppedException } from '../errors.ts';
import { closableGenerator } from '../internal/closable-generator.ts';
import { forwardAbort } from '../internal/forward-abort.ts';
import { ItemsOfBatches } from '../internal/items-of-batches.ts';
import { isJsonObject } from '../internal/json-object.ts';
import { type CallOptions, callOptionsOf } from '../web/call-options.ts';
import { CAPABILITIES } from '../web/service-kind.ts';
import { badAnswer } from '../web/web-response.ts';
import { WebStreamer } from '../web/web-streamer.ts';
import type { LogEvent, QueryInput } from '../wire/query.ts';
import { jobRows } from './job-rows.ts';
import { postStreamingQuery, type QueryScope } from './query-endpoint.ts';
import { type QueryOptions, resolveQueryInput } from './query-options.ts';

/**
 * Runs a query and yields its results as the service finds them. The request is sent when the first result is
 * requested. Leaving the loop closes the connection, which ends the query on the service. A slow reader slows the
 * service down; nothing accumulates in memory.
 *
 * @throws LogOptionsException immediately; all other errors while iterating
 */
export function streamingQuery<Row extends object = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: QueryOptions = {},
): AsyncGenerator<Row, void, undefined> {
  const input = resolveQueryInput('streamingQuery', queryString, options);
  return streamRows<Row>(scope, input, callOptionsOf('streamingQuery', options));
}

/** The rows of a query with validated options, by the streaming endpoint if the service has it. */
export function streamRows<Row extends object>(
  scope: QueryScope,
  input: QueryInput,
  options: CallOptions,
): AsyncGenerator<Row, void, undefined> {
  if (!CAPABILITIES[scope.service].streaming) return jobRows<Row>(scope, input, options);
  const closing = new AbortController();
  const { signal } = closing;
  let streamer: WebStreamer | undefined;

  async function* readLines(): AsyncGenerator<readonly string[], void, undefined> {
    const unlink = forwardAbort(options.signal, closing);
    try {
      streamer = new WebStreamer(await postStreamingQuery(scope, input, { ...options, signal }));
      yield* streamer.batches();
    } finally {
      unlink();
    }
  }

  return new ItemsOfBatches(
    closableGenerator(readLines(), () => closing.abort()),
    (line) => {
      // The response may have arrived already.
      signal.throwIfAborted();
      return parseRow<Row>(line, streamer!);
    },
  );
}

function parseRow<Row>(line: string, { isInLastLine, response }: WebStreamer): Row {
  const value = parseValue(line);
  if (isJsonObject(value)) return value as Row;
  // A truncated line is never valid JSON, so no truncation goes unnoticed.
  if (isInLastLine && value === undefined) {
    const { method, path } = response;
    throw new LogConnectionDroppedException(
      `The response to ${method} ${path} ended in the middle of a line.`,
    );
  }
  // The parser's message quotes the line, which may contain anything.
  throw badAnswer(response, 'The response to a streaming query has a line that is not a JSON object.');
}

/** The value of a line; undefined if it is not JSON. */
function parseValue(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
