import { utf8Text } from '../../core/bytes.ts';
import { LogOptionsException } from '../../core/errors.ts';
import { SILENCE } from '../../core/line-splitter.ts';
import { wholeRecords } from '../../core/records/log-records.ts';
import type { LogEvent } from '../../core/wire/query.ts';
import {
  compileQuery,
  cpuTime,
  type EventTable,
  type Fields,
  type Plan,
  parseTimePoint,
  type Run,
  type RunContext,
  type Sink,
} from '../../engine/index.ts';
import { parse, type QueryNode } from '../../language/index.ts';
import { limitError, QueryTimeoutError } from '../queries/query-limits.ts';
import { shownTime } from '../store/stored-event.ts';
import { HeldLines, type TimedLines } from './held-lines.ts';
import { LineFormats } from './line-formats.ts';
import {
  type LineQueryOptions,
  type ResolvedLineQueryOptions,
  resolveLineQueryOptions,
} from './line-query-options.ts';
import { LineTable } from './line-table.ts';
import { functionOfInterval } from './whole-interval.ts';

/**
 * Text in chunks of any size: a file stream, stdin, an array of lines with newlines. The last line is an event when the next one
 * does not continue it, or after an empty chunk.
 */
export type LineInput = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/** Maximum number of groups per function. */
const MAX_GROUPS = 1_000_000;
/** Maximum number of rows of an aggregate per batch. */
const ROWS_PER_BATCH = 10_000;
/** Number of lines between two checks of the clock: about as many as a chunk of a file has. */
const LINES_PER_STEP = 256;

/**
 * A query on lines of text, in input order. A line is an event, together with the lines of text that continue it, such as
 * those of a stack; so is a row of CSV with a header, and an object in an array of JSON. Numeric levels of pino and bunyan
 * become labels, such as `error` for 50. A row that a query returned is the same event again, with its tags and
 * `@rawstring`. Events are kept in memory only if the query needs all of them at once, as for a subquery, or for a chart
 * without a span and an interval.
 *
 * @example
 * const query = new LineQuery('level=error | groupBy(service)');
 * for await (const rows of query.run(createReadStream('app.log'))) console.log(rows);
 */
export class LineQuery {
  readonly #plan: Plan;
  readonly #options: ResolvedLineQueryOptions;
  readonly #now: number;
  /** The interval, if set. */
  readonly #start: number | undefined;
  readonly #end: number | undefined;
  /** Why all events are kept in memory until the end; `undefined` if they are not. */
  readonly whyHeld: string | undefined;
  /** Whether the time of each line matters, even if the query doesn't read it. */
  readonly #readsTimes: boolean;
  readonly #formats = new LineFormats();
  #columns: readonly string[] | undefined;
  #warnings: readonly string[] = [];
  #lines = 0;
  /** Time of the query so far, and the CPU time of the process at its start. */
  #spentMs = 0;
  #cpuStartMs = 0;
  /** The time of the last line so far. After a pause, it says nothing about the next line. */
  #previous: number | undefined;
  /** The times of the first and the last event. */
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /**
   * @throws QueryTextError if the query is invalid; its `excerpt` shows where
   * @throws LogOptionsException
   */
  constructor(queryString: string, options: LineQueryOptions = {}) {
    this.#options = resolveLineQueryOptions(options);
    const text = queryString.trim() === '' ? '*' : queryString;
    const { arguments: values, library, now } = this.#options;
    const plan = compileQuery(text, { arguments: values, library });
    this.#plan = plan;
    this.#now = now;
    this.#start = this.#timeOf(plan.interval?.start ?? this.#options.start);
    this.#end = this.#timeOf(plan.interval?.end ?? this.#options.end);
    if ((this.#start ?? 0) > (this.#end ?? Number.POSITIVE_INFINITY))
      throw new LogOptionsException('The start of the query is after its end.');
    const tree = parse(text);
    this.whyHeld = this.#needsAll(tree);
    this.#readsTimes =
      this.whyHeld !== undefined ||
      this.#start !== undefined ||
      this.#end !== undefined ||
      functionOfInterval(tree, true) !== undefined;
  }

  /** True if the query returns aggregated rows instead of events. */
  get isAggregate(): boolean {
    return this.#plan.isAggregate;
  }

  /** Columns of the result, once it has rows; `undefined` if the rows are events. */
  get columns(): readonly string[] | undefined {
    return this.#columns;
  }

  /** Why the result is incomplete or probably not what was meant. Set at the end. */
  get warnings(): readonly string[] {
    return [...this.#warnings, ...this.#options.times.warnings(this.#now)];
  }

  /** Number of events read. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Reads lines and yields rows in batches; those of an aggregate come at the end.
   *
   * @throws LogException with the code `LOG_TOO_LARGE`, or QueryLimitError, if the query needs too much memory or CPU time
   */
  async *run(input: LineInput): AsyncGenerator<readonly LogEvent[], void, undefined> {
    this.#spentMs = 0;
    this.#cpuStartMs = cpuTime();
    try {
      if (this.whyHeld === undefined) yield* this.#runPassing(input);
      else yield* this.#runHeld(input, new HeldLines(this.#options.maxBytes, this.whyHeld));
    } catch (error) {
      throw limitError(error) ?? error;
    }
  }

  async *#runPassing(input: LineInput): AsyncGenerator<readonly LogEvent[], void, undefined> {
    const run = this.#open(this.#context());
    for await (const table of this.#read(input)) {
      this.#take(table, run);
      const rows = run.take();
      if (rows.length > 0) yield rows;
    }
    yield* run.end();
  }

  async *#runHeld(input: LineInput, held: HeldLines): AsyncGenerator<readonly LogEvent[], void, undefined> {
    for await (const table of this.#read(input)) held.add(this.#timed(table));
    let context = this.#context();
    if (this.#plan.needsPreparation) context = this.#finish(this.#plan.prepare(context, held));
    const run = this.#open(context);
    const start = this.#start ?? Number.NEGATIVE_INFINITY;
    this.#finish(held.read({ start, end: this.#end ?? Number.POSITIVE_INFINITY }, run));
    yield* run.end();
  }

  /** Does all the work at once, within the limit. */
  #finish<Result>(work: Iterator<void, Result>): Result {
    let result: Result | undefined;
    this.#spend(() => {
      const next = work.next();
      if (next.done === true) result = next.value;
      return next.done !== true;
    });
    return result as Result;
  }

  /** @param advance does a small piece of the work, and returns whether there may be more */
  #spend(advance: () => boolean): void {
    const { maxCpuMs, maxCpuMsPerLine } = this.#options;
    const limitMs = maxCpuMs + maxCpuMsPerLine * this.#lines;
    for (let isDone = false; !isDone; ) {
      const start = performance.now();
      isDone = !advance();
      this.#spentMs += performance.now() - start;
      // Other processes need time of the query, and the caller needs CPU time. Reading the latter is slow.
      if (this.#spentMs > limitMs && cpuTime() - this.#cpuStartMs > limitMs)
        throw new QueryTimeoutError(limitMs, 'its limit');
    }
  }

  /** The lines that arrive together. */
  async *#read(input: LineInput): AsyncGenerator<LineTable, void, undefined> {
    for await (const bytes of wholeRecords(chunksOf(input))) yield this.#tableOf(bytes);
  }

  #tableOf(bytes: Uint8Array): LineTable {
    const { times, otherwise, tags } = this.#options;
    const other = otherwise();
    const isPause = bytes === SILENCE && other.source === 'arrival';
    const table = new LineTable(utf8Text(bytes), this.#formats, {
      times,
      previous: isPause ? undefined : this.#previous,
      otherwise: other,
      tags,
    });
    this.#previous = table.lastTime;
    this.#lines += table.length;
    return table;
  }

  /** The lines within the interval, and all others if a subquery, which may have its own, could read them. */
  #timed(table: LineTable): TimedLines {
    const indexes: number[] = [];
    const times: number[] = [];
    for (let index = 0; index < table.length; index++) {
      const time = table.timeAt(index);
      if (!this.#noteIfWithin(time) && !this.#plan.hasSubQueries) continue;
      indexes.push(index);
      times.push(time);
    }
    return { table, indexes, times };
  }

  /** The values of a line are read right after its time, so that it is matched once. */
  #take(table: LineTable, sink: Sink): void {
    const take = sink.from(table);
    if (take === undefined && !this.#readsTimes) return;
    const next = (!this.#readsTimes && take?.next) || ((index) => index);
    let index = next(0);
    this.#spend(() => {
      const end = Math.min(table.length, index + LINES_PER_STEP);
      for (; index < end; index = next(index + 1)) {
        if (!this.#readsTimes || this.#noteIfWithin(table.timeAt(index))) take?.(index);
      }
      return index < table.length;
    });
  }

  /** Whether a time is within the interval. */
  #noteIfWithin(time: number): boolean {
    if ((this.#start !== undefined && time < this.#start) || (this.#end !== undefined && time > this.#end)) {
      return false;
    }
    if (time < this.#first) this.#first = time;
    if (time > this.#last) this.#last = time;
    return true;
  }

  #timeOf(value: number | string | undefined): number | undefined {
    if (value === undefined) return undefined;
    const timeZone = this.#plan.interval?.timeZone ?? this.#options.timeZone;
    return parseTimePoint({ value, now: this.#now, timeZone });
  }

  /** An interval that isn't set is that of the events so far. */
  #context(): RunContext {
    const options = this.#options;
    const [start, end, first, last] = [this.#start, this.#end, () => this.#first, () => this.#last];
    const known = (time: number): number => (Number.isFinite(time) ? time : this.#now);
    return {
      get start() {
        return start ?? known(first());
      },
      get end() {
        return end ?? known(last());
      },
      now: this.#now,
      get timeZone() {
        return options.timeZone;
      },
      limits: { maxGroups: MAX_GROUPS, maxBytes: options.maxBytes },
    };
  }

  /** One execution. `take` returns the rows since the previous call. */
  #open(context: RunContext) {
    const plan = this.#plan;
    const collecting = plan.open(context);
    this.#columns = collecting.fieldOrder;
    if (plan.isAggregate) {
      return {
        from: (table: EventTable) => collecting.from(table),
        take: () => [],
        end: () => this.#rowBatches(collecting),
      };
    }
    const rows: LogEvent[] = [];
    const stream = plan.openStream(context, (row) => rows.push(rowOf(row)));
    const take = (): readonly LogEvent[] => rows.splice(0);
    const end = (): readonly (readonly LogEvent[])[] => {
      this.#warnings = stream.warnings;
      return [take()];
    };
    return { from: (table: EventTable) => stream.from(table), take, end };
  }

  *#rowBatches(collecting: Run): Generator<readonly LogEvent[]> {
    const rows = collecting.eachRow();
    for (let isDone = false; !isDone; ) {
      const batch: LogEvent[] = [];
      this.#spend(() => {
        const { done, value } = rows.next();
        if (value) batch.push(rowOf(value));
        isDone = done === true;
        return !isDone && batch.length < ROWS_PER_BATCH;
      });
      if (isDone) this.#warnings = collecting.warnings;
      yield batch;
    }
  }

  #needsAll(tree: QueryNode): string | undefined {
    if (this.#plan.hasSubQueries || this.#plan.looksAhead)
      return 'the query reads events before it returns any';
    if (this.#start !== undefined && this.#end !== undefined) return undefined;
    const asking = functionOfInterval(tree);
    return asking === undefined ? undefined : `${asking}() needs an interval, and none is set`;
  }
}

async function* chunksOf(input: LineInput): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

function rowOf(row: Fields): LogEvent {
  const time = shownTime(row);
  return time === undefined ? row : { ...row, '@timestamp': time };
}
