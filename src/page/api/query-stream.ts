import type { Http } from './http.ts';
import type { QueryInput, Row } from './types.ts';

/** Runs a streaming query and yields the rows of each chunk of the response. */
export async function* queryStream(
  http: Http,
  repository: string,
  input: QueryInput,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  const path = `api/v1/repositories/${encodeURIComponent(repository)}/query`;
  const response = await http.send('POST', path, { body: input, accept: 'application/x-ndjson', signal });
  // Opened: a live query may have no rows for a while.
  yield [];
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    const rows = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Row);
    if (rows.length > 0) yield rows;
  }
  if (rest.trim() !== '') yield [JSON.parse(rest) as Row];
}
