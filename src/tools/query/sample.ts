import { countText } from '../../core/count-text.ts';
import { TIME_SOURCE } from '../../core/records/record-fields.ts';
import { LineQuery, type LineQueryOptions } from '../../server/line-query/index.ts';
import type { Surface } from '../output/row-format.ts';
import { timeText } from '../output/time-text.ts';
import { lostEvents, rowsOf } from './query-steps.ts';

const MAX_BYTES = 1024 * 1024;

/** The first lines of an input, to explain why none matches. */
export class Sample {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  /** The input, of which the first lines are kept. */
  async *of(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of input) {
      if (this.#bytes < MAX_BYTES) this.#chunks.push(Buffer.from(chunk));
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  /** @param count number of lines of the input */
  async explain(query: string, options: LineQueryOptions, count: number, surface: Surface): Promise<void> {
    const { noMatchHints } = await import('../../language/no-match-hints.ts');
    const { writeFooter } = await import('./query-footer.ts');
    if (count === 0) return writeFooter('the input has no lines', surface);
    const chunks = Buffer.concat(this.#chunks);
    const isWhole = chunks.length === this.#bytes;
    const lines = chunks.toString('utf8').split('\n');
    // The last line of a part may be cut.
    if (!isWhole) lines.pop();
    const none = `no lines match, of ${countText(count, 'line')}`;
    const texts: string[] = [];
    try {
      const rows = await rowsOf(new LineQuery('*', options), lines);
      const first = `the first ${countText(lines.length, 'line')}`;
      if (rows.length === 0) {
        const all = await rowsOf(new LineQuery('*', { ...options, start: undefined, end: undefined }), lines);
        const times = all.map((row) => Number(row['@timestamp'])).sort((one, other) => one - other);
        const ends = [times[0], times.at(-1)].map((time) => timeText(String(time), options.timeZone));
        const which = isWhole ? `all ${countText(count, 'line')}` : first;
        const isOfFile = all.every((row) => row[TIME_SOURCE] === 'unknown');
        const why = isOfFile ? 'no line has a time, so they have that of the file:' : 'they are from';
        texts.push(`${which} are outside of the time range: ${why} ${ends.join(' to ')}`);
      } else {
        const lost = await lostEvents(query, lines, options);
        if (lost !== undefined) texts.push(none, (isWhole ? '' : `of ${first}, `) + lost.message);
        texts.push(...noMatchHints(query, rows, 'line'));
      }
    } catch {
      texts.push(none);
    }
    if (texts.length > 0) writeFooter(texts.join('\n'), surface);
  }
}
