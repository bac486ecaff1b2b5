import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, writeField } from '../event.ts';
import type { Accumulator } from '../operators/operator.ts';
import { rowBytes, textBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { byteSize, condition, durationMs, fieldNames, text } from '../signature/argument-types.ts';
import { type ArgumentsOf, define, optional, required, withDefault } from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';

const DEFAULT_BYTES = 1024 * 1024;

const seriesParameters = {
  collect: required(fieldNames, { unnamed: true }),
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
