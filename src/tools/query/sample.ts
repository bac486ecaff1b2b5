import { countText } from '../../core/count-text.ts';
import { LineQuery, type LineQueryOptions } from '../../server/line-query/index.ts';
import type { Surface } from '../output/row-format.ts';
import { hintsFor } from './no-match.ts';
import { writeFooter } from './query-footer.ts';
import { lostEvents, rowsOf } from './query-steps.ts';

const MAX_BYTES = 4 * 1024 * 1024;

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
    const lines = Buffer.concat(this.#chunks).toString('utf8').split('\n').slice(0, count);
    const texts = [`no lines match, of ${countText(count, 'line')}`];
    try {
      const lost = await lostEvents(query, lines, options);
      const place = lines.length < count ? `of the first ${countText(lines.length, 'line')}, ` : '';
      if (lost !== undefined) texts.push(place + lost.message);
      texts.push(...hintsFor(query, await rowsOf(new LineQuery('*', options), lines), 'line'));
    } catch {
      // A result without an explanation is complete.
    }
    writeFooter(texts.join('\n'), surface);
  }
}
