import { closableGenerator } from '../internal/closable-generator.ts';
import { forwardAbort } from '../internal/forward-abort.ts';
import { type CallOptions, callOptionsOf } from '../web/call-options.ts';
import { badAnswer, type WebResponse } from '../web/web-response.ts';
import { WebStreamer } from '../web/web-streamer.ts';
import type { LogEvent, QueryInput } from '../wire/query.ts';
import { postStreamingQuery, type QueryScope } from './query-endpoint.ts';
import { type QueryOptions, resolveQueryInput } from './query-options.ts';

/**
 * Runs a query and yields its results as the service finds them. The request is sent when the first one is asked for;
 * leaving the loop closes the connection, which ends the query on the service.
 *
 * @throws LogOptionsException at once; everything else while iterating
 */
export function streamingQuery<Row extends LogEvent = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: QueryOptions = {},
): AsyncGenerator<Row, void, undefined> {
  const input = resolveQueryInput('streamingQuery', queryString, options);
  const closing = new AbortController();
  const rows = readRows<Row>(scope, input, callOptionsOf(options), closing);
  return closableGenerator(rows, () => closing.abort());
}

async function* readRows<Row>(
  scope: QueryScope,
  input: QueryInput,
  options: CallOptions,
  closing: AbortController,
): AsyncGenerator<Row, void, undefined> {
  const unlink = forwardAbort(options.signal, closing);
  try {
    const response = await postStreamingQuery(scope, input, { ...options, signal: closing.signal });
    for await (const line of new WebStreamer(response)) {
      yield parseRow<Row>(response, line);
      // More lines may be here already; after an abort nobody wants them.
      closing.signal.throwIfAborted();
    }
  } finally {
    unlink();
  }
}

function parseRow<Row>(response: WebResponse, line: string): Row {
  try {
    return JSON.parse(line) as Row;
  } catch {
    // The parser's own message quotes the line, which may hold anything.
    throw badAnswer(response, 'The service sent a line that is not JSON in a streaming query.');
  }
}
