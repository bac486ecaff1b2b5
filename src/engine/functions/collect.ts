import { singleField } from '../aggregates/result-rows.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, writeField } from '../event.ts';
import type { Accumulator, WindowAccumulator } from '../operators/operator.ts';
import { textBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { fieldNames, flag, limit, text } from '../signature/argument-types.ts';
import { type ArgumentsOf, define, required, withDefault } from '../signature/function-spec.ts';
import { MAX_TEXT_LENGTH } from '../text/text-limit.ts';

const DEFAULT_VALUES = 2000;
const MAX_VALUES = 1_000_000;

const collectParameters = {
  fields: required(fieldNames, { unnamed: true, aliases: ['field'] }),
  separator: withDefault(text, '\n'),
  limit: withDefault(limit({ max: MAX_VALUES }), DEFAULT_VALUES),
  multival: withDefault(flag, true),
};

type CollectOptions = ArgumentsOf<typeof collectParameters>;

/** The distinct values of fields in order of appearance, joined to one string or as rows. */
export const collect = define.aggregate({
  name: 'collect',
  uncertain: [
    'Values appear in order of first occurrence.',
    'With `multival=false`, each value of each field produces a row.',
  ],
  parameters: collectParameters,
  compile(options) {
    const { fields } = options;
    return {
      columns: () => fields,
      open: (run) => new Collect(options, run),
      feed(table) {
        const columns = fields.map((field) => table.column(field));
        return {
          take(collected: Collect, index) {
            for (let place = 0; place < columns.length; place++)
              collected.add(place, columns[place]!.at(index));
          },
        };
      },
      openWindow: (run) => collectInWindow(options, run),
    };
  },
});

interface CollectedField {
  readonly field: string;
  readonly values: TextSet;
  /** Length of all values joined. */
  length: number;
}

/** With more strings, a set is faster than searching an array. */
const MANY = 16;

/** Distinct strings in order of appearance. Most groups have few: an array takes a fifth of a set's memory. */
class TextSet {
  readonly list: string[] = [];
  #set: Set<string> | undefined;

  get size(): number {
    return this.list.length;
  }

  has(text: string): boolean {
    return this.#set?.has(text) ?? this.list.includes(text);
  }

  add(text: string): void {
    if (this.list.push(text) === MANY) this.#set = new Set(this.list);
    else this.#set?.add(text);
  }
}

class Collect implements Accumulator {
  readonly #options: CollectOptions;
  readonly #run: RunScope;
  readonly #fields: readonly CollectedField[];

  constructor(options: CollectOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    this.#fields = options.fields.map((field) => ({ field, values: new TextSet(), length: 0 }));
  }

  from(table: EventTable): TakeEvent {
    const columns = this.#options.fields.map((field) => table.column(field));
    return (index) => {
      for (const [place, column] of columns.entries()) this.add(place, column.at(index));
    };
  }

  /** Adds a value of the field with this index. */
  add(place: number, value: string | undefined): void {
    const { limit, separator } = this.#options;
    const collected = this.#fields[place]!;
    const { field, values } = collected;
    if (value === undefined || values.has(value)) return;
    const length = collected.length + separator.length + value.length;
    if (length > MAX_TEXT_LENGTH) {
      this.#run.warn(`collect() keeps at most ${MAX_TEXT_LENGTH} characters of "${field}".`);
    } else if (values.size < limit) {
      collected.length = length;
      values.add(value);
      this.#run.retain?.(textBytes(value));
    } else this.#run.warn(`collect() keeps at most ${limit} values of "${field}". Set "limit" for more.`);
  }

  rows(): readonly Fields[] {
    const { separator, multival } = this.#options;
    // Several joined times would be misread as one timestamp.
    const collected = this.#fields.filter(
      ({ field, values }) => values.size > 0 && !(field === '@timestamp' && multival && values.size > 1),
    );
    if (!multival) {
      return collected.flatMap(({ field, values }) =>
        values.list.flatMap((value) => singleField(field, value)),
      );
    }
    const row: Fields = {};
    for (const { field, values } of collected) writeField(row, field, values.list.join(separator));
    return collected.length === 0 ? [] : [row];
  }
}

/** Remembers the positions of each value in the window. */
function collectInWindow(options: CollectOptions, run: RunScope): WindowAccumulator {
  /** Per field: the positions of each value, ascending. */
  const placesOf = options.fields.map(() => new Map<string, number[]>());
  let end = 0;
  const eachValue = (
    table: EventTable,
    take: (places: Map<string, number[]>, value: string) => void,
  ): TakeEvent => {
    const columns = options.fields.map((field) => table.column(field));
    return (index) => {
      end += 1;
      for (const [place, column] of columns.entries()) {
        const value = column.at(index);
        if (value !== undefined) take(placesOf[place]!, value);
      }
    };
  };
  return {
    from: (table) =>
      eachValue(table, (places, value) => {
        const known = places.get(value);
        if (known === undefined) places.set(value, [end]);
        else known.push(end);
      }),
    forget: (table) =>
      eachValue(table, (places, value) => {
        const known = places.get(value)!;
        if (known.length === 1) places.delete(value);
        else known.shift();
      }),
    rows() {
      const collected = new Collect(options, scopeOfRead(run));
      for (const [place, places] of placesOf.entries()) {
        const values = [...places].sort(([, [a = 0]], [, [b = 0]]) => a - b);
        for (const [value] of values) collected.add(place, value);
      }
      return collected.rows();
    },
  };
}
