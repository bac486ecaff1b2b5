import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import type { ProgressBar } from '../output/progress-bar.ts';
import type { Row, RowShape } from '../output/row-format.ts';
import type { RowWriter } from '../output/row-writer.ts';
import type { Gate } from './gate.ts';
import type { QueryFlags } from './query-flags.ts';

export interface QueryOutputOptions {
  readonly flags: QueryFlags;
  readonly writer: RowWriter;
  readonly shape: RowShape;
  readonly gate: Gate;
  readonly bar: ProgressBar;
}

/**
 * Writes the rows of a query up to its limit. The service returns the newest events first; on a terminal, they are held
 * until the end and written newest last.
 */
export class QueryOutput {
  /** Can be `Infinity`. */
  readonly limit: number;
  readonly #options: QueryOutputOptions;
  readonly #isReversed: boolean;
  readonly #held: Row[] = [];
  /** Number of rows so far. */
  shown = 0;

  constructor(options: QueryOutputOptions) {
    const { flags, writer, shape } = options;
    this.#options = options;
    this.#isReversed = writer.isForPeople && !shape.isAggregate;
    this.limit = flags.limit ?? (this.#isReversed ? PAGE_EVENTS : Number.POSITIVE_INFINITY);
  }

  /** @returns whether to fetch more. */
  async show(rows: readonly Row[]): Promise<boolean> {
    const { writer, gate, bar } = this.#options;
    const first = rows.slice(0, this.limit - this.shown);
    if (this.shown === 0 && first.length > 0 && !this.#isReversed) writer.page();
    this.shown += first.length;
    gate.see(first);
    bar.clear();
    if (this.#isReversed) for (const row of first) this.#held.push(row);
    else await writer.write(first);
    return this.shown < this.limit;
  }

  async end(): Promise<void> {
    const { writer, bar } = this.#options;
    const rows = this.#held.reverse();
    bar.clear();
    if (rows.length > 0) writer.page({ atEnd: rows.length >= (process.stdout.rows ?? 24) });
    await writer.write(rows);
    await writer.end();
  }
}
