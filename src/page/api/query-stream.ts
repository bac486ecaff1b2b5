import type { Http } from './http.ts';
import { type QueryInput, type Row, toRow } from './types.ts';

/** Without a byte for so long, the connection is dead: the server sends blank lines to an idle live query. */
const LIVE_IDLE_MS = 60_000;
/** A query with an aggregate function has no row until it has read all events. */
const STATIC_IDLE_MS = 300_000;

/**
 * Runs a streaming query and yields the rows of each chunk of the response.
 *
 * @throws DOMException with the name `AbortError` if the server is silent for too long.
 */
export async function* queryStream(
  http: Http,
  repository: string,
  input: QueryInput,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const path = `api/v1/repositories/${encodeURIComponent(repository)}/query`;
  const silence = new AbortController();
  const unlessSilent = async <Result>(result: Promise<Result>): Promise<Result> => {
    const timer = setTimeout(() => silence.abort(), input.isLive ? LIVE_IDLE_MS : STATIC_IDLE_MS);
    return result.finally(() => clearTimeout(timer));
  };
  const request = {
    body: input,
    accept: 'application/x-ndjson',
    signal: AbortSignal.any([signal, silence.signal]),
  };
  const response = await unlessSilent(http.send('POST', path, request));
  // Opened: a live query may have no rows for a while.
  yield [];
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await unlessSilent(reader.read());
    if (done) break;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    const rows = lines.filter((line) => line.trim() !== '').map((line) => toRow(JSON.parse(line)));
    if (rows.length > 0) yield rows;
  }
  if (rest.trim() !== '') yield [toRow(JSON.parse(rest))];
}
