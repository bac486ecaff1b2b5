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
 * Runs a query and yields its results as the service finds them. The request is sent when the first one is asked for;
 * leaving the loop closes the connection, which ends the query on the service. The answer is read as fast as the
 * results are taken: what waits for a slow reader waits at the service.
 *
 * @throws LogOptionsException at once; everything else while iterating
 */
export function streamingQuery<Row extends object = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: QueryOptions = {},
): AsyncGenerator<Row, void, undefined> {
  const input = resolveQueryInput('streamingQuery', queryString, options);
  return streamRows<Row>(scope, input, callOptionsOf('streamingQuery', options));
}

/** The rows of a query whose options are checked, by the streaming endpoint if the service has it. */
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
      // It may be here already; after an abort nobody wants it.
      signal.throwIfAborted();
      return parseRow<Row>(line, streamer!);
    },
  );
}

function parseRow<Row>(line: string, { isInLastLine, response }: WebStreamer): Row {
  const value = parseValue(line);
  if (isJsonObject(value)) return value as Row;
  // Half an object is never a whole one, so nothing is lost without a word.
  if (isInLastLine && value === undefined) {
    const { method, path } = response;
    throw new LogConnectionDroppedException(
      `The response to ${method} ${path} ended in the middle of a line.`,
    );
  }
  // The parser's own message quotes the line, which may hold anything.
  throw badAnswer(response, 'The response to a streaming query has a line that is not a JSON object.');
}

/** What a line stands for, undefined if it is no JSON. */
function parseValue(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
