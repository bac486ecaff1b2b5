import { countStep } from '../aggregates/result-rows.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { copyFields, type Fields, readField, readNumber, writeField } from '../event.ts';
import { type Accumulator, type Columns, slicedRows, withColumns } from '../operators/operator.ts';
import { bufferedAggregate, collectRows } from '../operators/row-buffer.ts';
import { rowBytes, textBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { RowSource } from '../run/sliced-sort.ts';
import { partsOfSequence } from '../sequences/parts-of-sequence.ts';
import { slidingAggregate } from '../sequences/sliding-window.ts';
import {
  aggregates,
  byteSize,
  condition,
  durationMs,
  fieldName,
  fieldNames,
  integer,
  oneOf,
  text,
} from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import {
  type ArgumentsOf,
  define,
  optional,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';

/** Sequence functions use neighboring rows, so the rows must have an order. */
function requireOrder(name: string, call: CallSite): void {
  if (call.scope.isAfterAggregate) return;
  call.fail(`${name}() needs ordered rows: put an aggregate function such as head() or sort() before it`);
}

/** Adds to each row an aggregate of all rows up to it, with or without the row itself. */
export const accumulate = define.aggregate({
  name: 'accumulate',
  parameters: { function: unnamed(aggregates), current: withDefault(oneOf('include', 'exclude'), 'include') },
  compile({ function: inner, current }, call) {
    requireOrder('accumulate', call);
    return slidingAggregate({ name: 'accumulate', inner, current });
  },
});

/** Keeps all rows, and appends those of an aggregate of them. */
export const appendAggregation = define.aggregate({
  name: 'appendAggregation',
  parameters: { function: unnamed(aggregates) },
  compile({ function: inner }) {
    return {
      columns: (before) => withColumns(before, inner.columns(before) ?? []),
      open(run) {
        const appended = inner.open(run);
        const kept: Fields[] = [];
        return {
          from(table) {
            const take = appended.from(table);
            return (index) => {
              const row = table.row(index);
              run.retain?.(rowBytes(row));
              kept.push(row);
              take?.(index);
            };
          },
          *rows() {
            return [...kept, ...(yield* slicedRows(appended))];
          },
        };
      },
    };
  },
});

const MAX_WINDOW_ROWS = 1000;

/** Adds to each row an aggregate of the previous rows, with or without the row itself. */
export const slidingWindow = define.aggregate({
  name: 'slidingWindow',
  parameters: {
    function: unnamed(aggregates),
    events: required(integer({ min: 1, max: MAX_WINDOW_ROWS })),
    current: withDefault(oneOf('include', 'exclude'), 'include'),
  },
  uncertain: ['With `current=exclude`, the window has the same number of rows, all before the current row.'],
  compile({ function: inner, events, current }, call) {
    requireOrder('slidingWindow', call);
    return slidingAggregate({
      name: 'slidingWindow',
      inner,
      current,
      bounds: () => ({ has: () => true, hasLeft: (_oldest, _row, size) => size > events }),
    });
  },
});

const MAX_TIME_WINDOW_ROWS = 10_000;

/** Adds to each row an aggregate of the rows in a time span before it, with or without the row itself. */
export const slidingTimeWindow = define.aggregate({
  name: 'slidingTimeWindow',
  parameters: {
    function: unnamed(aggregates),
    span: required(durationMs),
    current: withDefault(oneOf('include', 'exclude'), 'include'),
    timestampfield: withDefault(fieldName, '@timestamp'),
  },
  uncertain: [
    'A row whose age equals the span is outside the window.',
    'A row without a time is returned unchanged and is not part of any window.',
  ],
  compile({ function: inner, span, current, timestampfield }, call) {
    requireOrder('slidingTimeWindow', call);
    return slidingAggregate({
      name: 'slidingTimeWindow',
      inner,
      current,
      bounds(run) {
        let last = Number.NEGATIVE_INFINITY;
        return {
          has(row) {
            const time = readNumber(row, timestampfield);
            if (time === undefined) return false;
            if (time < last) {
              run.warn(
                `slidingTimeWindow() needs rows in ascending order of "${timestampfield}": sort them first.`,
              );
            }
            last = time;
            return true;
          },
          hasLeft(oldest, row, size) {
            const time = readNumber(oldest, timestampfield) ?? 0;
            const newest = readNumber(row, timestampfield) ?? 0;
            if (time <= newest - span) return true;
            if (size <= MAX_TIME_WINDOW_ROWS) return false;
            run.warn(`slidingTimeWindow() keeps at most ${MAX_TIME_WINDOW_ROWS} rows per window.`);
            return true;
          },
        };
      },
    });
  },
});

const MAX_DISTANCE = 1_000_000;

/** Adds fields of a preceding or following row, with a prefix. */
export const neighbor = define.aggregate({
  name: 'neighbor',
  parameters: {
    include: unnamed(fieldNames),
    prefix: optional(text),
    distance: withDefault(integer({ min: 1, max: MAX_DISTANCE }), 1),
    direction: withDefault(oneOf('preceding', 'succeeding'), 'preceding'),
  },
  uncertain: [
    'Without a prefix, fields from preceding rows are named `prev.<field>`, and fields from succeeding rows are named `next.<field>`.',
  ],
  compile({ include, prefix, distance, direction }, call) {
    requireOrder('neighbor', call);
    const step = direction === 'preceding' ? -distance : distance;
    const lead = `${prefix ?? (direction === 'preceding' ? 'prev' : 'next')}.`;
    const includesAll = include.includes('*');
    const columns = (before: Columns): Columns =>
      withColumns(
        before,
        (includesAll ? (before ?? []) : include).map((name) => lead + name),
      );
    function* withNeighbors(rows: readonly Fields[]): RowSource {
      for (const [index, row] of rows.entries()) {
        const other = rows[index + step];
        const names = includesAll && other !== undefined ? Object.keys(other) : include;
        yield other === undefined ? row : withFields(row, other, names, lead);
      }
    }
    return bufferedAggregate(columns, (rows, run) => collectRows(withNeighbors(rows), run));
  },
});

function withFields(row: Fields, other: Fields, names: readonly string[], lead: string): Fields {
  const combined = copyFields(row);
  for (const name of names) {
    const value = readField(other, name);
    if (value !== undefined) writeField(combined, lead + name, value);
  }
  return combined;
}

/** Splits the rows before or after those that satisfy a condition, and aggregates each part. */
export const partition = define.aggregate({
  name: 'partition',
  parameters: {
    function: unnamed(aggregates),
    condition: required(condition),
    split: withDefault(oneOf('before', 'after'), 'before'),
  },
  compile({ function: inner, condition, split }, call) {
    requireOrder('partition', call);
    return partsOfSequence(inner, (run) => (table) => {
      const test = condition.over(table, run);
      return (index) => ((typeof test === 'boolean' ? test : test(index)) ? split : undefined);
    });
  },
});

const DEFAULT_PAUSE_MS = 15 * 60_000;

/** Aggregates each session: events in order of time, with no gap longer than a pause. */
export const session = define.aggregate({
  name: 'session',
  parameters: {
    function: withDefault(aggregates, countStep(), { unnamed: true }),
    maxpause: withDefault(durationMs, DEFAULT_PAUSE_MS),
  },
  uncertain: [
    'Rows contain only the output of the aggregate, not the duration or time of the session.',
    'A row without `@timestamp` belongs to the session of the preceding row.',
  ],
  compile: ({ function: inner, maxpause }) =>
    partsOfSequence(inner, () => {
      let last: number | undefined;
      return (table) => (index) => {
        const known = table.timeAt(index);
        const time = Number.isNaN(known) ? last : known;
        const isOver = time !== undefined && last !== undefined && Math.abs(time - last) > maxpause;
        last = time;
        return isOver ? 'before' : undefined;
      };
    }),
});

const DEFAULT_BYTES = 1024 * 1024;

const seriesParameters = {
  collect: unnamed(fieldNames),
  separator: withDefault(text, '\n'),
  /** With it, events before the first start, and between an end and the next start, are ignored. */
  startmatch: optional(condition),
  endmatch: optional(condition),
  maxpause: optional(durationMs),
  maxduration: optional(durationMs),
  memlimit: withDefault(byteSize, DEFAULT_BYTES),
};

type SeriesOptions = ArgumentsOf<typeof seriesParameters>;

/**
 * The values of fields in order of time, joined to one string. Start and end conditions, long pauses and long durations
 * split a series; each part is a row with its first `@timestamp` and its `_duration`.
 */
export const series = define.aggregate({
  name: 'series',
  parameters: seriesParameters,
  partial: ['`memlimit` defaults to 1 MiB for the values of one call; on the service, it defaults to 1 KiB.'],
  uncertain: ['Events that have none of the fields are not part of a series, but can start or end one.'],
  compile: (options) => ({
    columns: () => [...new Set(['@timestamp', '_duration', ...options.collect])],
    open: (run) => new Series(options, run),
  }),
});

interface OpenSeries {
  readonly first: number;
  last: number;
  readonly values: readonly string[][];
}

class Series implements Accumulator {
  readonly #options: SeriesOptions;
  readonly #run: RunScope;
  readonly #finished: Fields[] = [];
  #current: OpenSeries | undefined;
  #isBetween: boolean;
  #bytes = 0;

  constructor(options: SeriesOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    this.#isBetween = options.startmatch !== undefined;
  }

  from(table: EventTable): TakeEvent {
    const { startmatch, endmatch, collect } = this.#options;
    const starts = startmatch?.over(table, this.#run) ?? false;
    const ends = endmatch?.over(table, this.#run) ?? false;
    const columns = collect.map((name) => table.column(name));
    return (index) => {
      const known = table.timeAt(index);
      const time = Number.isNaN(known) ? (this.#current?.last ?? 0) : known;
      if (this.#current !== undefined && this.#isOver(this.#current, time)) this.#finish();
      if (typeof starts === 'boolean' ? starts : starts(index)) {
        this.#finish();
        this.#isBetween = false;
      }
      if (this.#isBetween) return;
      this.#take(
        columns.map((column) => column.at(index)),
        time,
      );
      if (typeof ends === 'boolean' ? ends : ends(index)) this.#finish();
    };
  }

  rows(): readonly Fields[] {
    return this.#current === undefined ? [...this.#finished] : [...this.#finished, this.#row(this.#current)];
  }

  #isOver({ first, last }: OpenSeries, time: number): boolean {
    const { maxpause, maxduration } = this.#options;
    return (
      (maxpause !== undefined && time - last > maxpause) ||
      (maxduration !== undefined && time - first > maxduration)
    );
  }

  #take(values: readonly (string | undefined)[], time: number): void {
    if (values.every((value) => value === undefined)) return;
    this.#current ??= { first: time, last: time, values: values.map(() => []) };
    this.#current.last = time;
    for (const [index, value] of values.entries()) {
      if (value !== undefined && this.#hasRoom(value)) this.#current.values[index]?.push(value);
    }
  }

  #hasRoom(value: string): boolean {
    const { memlimit } = this.#options;
    if (this.#bytes + value.length > memlimit) {
      this.#run.warn(`series() keeps at most ${memlimit} bytes of values. Set "memlimit" for more.`);
      return false;
    }
    this.#bytes += value.length;
    this.#run.retain?.(textBytes(value));
    return true;
  }

  #finish(): void {
    if (this.#current !== undefined) {
      const row = this.#row(this.#current);
      this.#run.retain?.(rowBytes(row));
      this.#finished.push(row);
    }
    this.#current = undefined;
    this.#isBetween = this.#options.startmatch !== undefined;
  }

  #row({ first, last, values }: OpenSeries): Fields {
    const { collect, separator } = this.#options;
    const row: Fields = { '@timestamp': String(first), _duration: String(last - first) };
    for (const [index, name] of collect.entries()) {
      const collected = values[index] ?? [];
      if (collected.length > 0 && name !== '@timestamp')
        writeField(row, name, joinTexts(collected, separator));
    }
    return row;
  }
}
