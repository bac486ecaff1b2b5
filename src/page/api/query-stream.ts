import { type Http, LIVE_SILENCE_MS, SilenceLimit, STATIC_SILENCE_MS } from './http.ts';
import { type QueryInput, type Row, toRow } from './types.ts';

/**
 * Runs a streaming query and yields the rows of each chunk of the response.
 *
 * @throws Error if the server is silent for too long; it sends blank lines to an idle live query
 */
export async function* queryStream(
  http: Http,
  repository: string,
  input: QueryInput,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const path = `api/v1/repositories/${encodeURIComponent(repository)}/query`;
  const limit = new SilenceLimit(input.isLive ? LIVE_SILENCE_MS : STATIC_SILENCE_MS, signal);
  const request = { body: input, accept: 'application/x-ndjson', signal: limit.signal };
  const response = await limit.of(http.send('POST', path, request));
  // Opened: a live query may have no rows for a while.
  yield [];
  let rest = '';
  for await (const text of limit.textOf(response)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const rows = lines.filter((line) => line.trim() !== '').map((line) => toRow(JSON.parse(line)));
    if (rows.length > 0) yield rows;
  }
  if (rest.trim() !== '') yield [toRow(JSON.parse(rest))];
}
