import { singleField } from '../aggregates/single-field.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { type RowAccumulator, rowAggregate } from '../operators/row-code.ts';
import { textBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldNames, flag, limit, text } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';
import { MAX_TEXT_LENGTH } from '../text/text-limit.ts';

const DEFAULT_VALUES = 2000;
const MAX_VALUES = 1_000_000;

/** The distinct values of fields in the order in which they came, joined to one text or as rows. */
export const collect = defineAggregate({
  name: 'collect',
  uncertain: [
    'Values appear in order of first occurrence.',
    'With `multival=false`, each value of each field produces a row.',
  ],
  parameters: {
    fields: required(fieldNames, { unnamed: true, aliases: ['field'] }),
    separator: withDefault(text, '\n'),
    limit: withDefault(limit({ max: MAX_VALUES }), DEFAULT_VALUES),
    multival: withDefault(flag, true),
  },
  compile: ({ fields, separator, limit: maxValues, multival }) =>
    rowAggregate({
      columns: () => fields,
      reads: fields,
      open: (run) => new Collect({ fields, separator, maxValues, multival }, run),
    }),
});

interface CollectOptions {
  readonly fields: readonly string[];
  readonly separator: string;
  readonly maxValues: number;
  readonly multival: boolean;
}

class Collect implements RowAccumulator {
  readonly #options: CollectOptions;
  readonly #run: RunScope;
  readonly #values: readonly { readonly field: string; readonly values: Set<string>; length: number }[];

  constructor(options: CollectOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    this.#values = options.fields.map((field) => ({ field, values: new Set<string>(), length: 0 }));
  }

  push(row: Fields): void {
    const { maxValues, separator } = this.#options;
    for (const collected of this.#values) {
      const { field, values } = collected;
      const value = readField(row, field);
      if (value === undefined || values.has(value)) continue;
      const length = collected.length + separator.length + value.length;
      if (length > MAX_TEXT_LENGTH) {
        this.#run.warn(`collect() keeps at most ${MAX_TEXT_LENGTH} characters of "${field}".`);
      } else if (values.size < maxValues) {
        collected.length = length;
        values.add(value);
        this.#run.retain?.(textBytes(value));
      } else
        this.#run.warn(`collect() keeps at most ${maxValues} values of "${field}". Set "limit" for more.`);
    }
  }

  rows(): readonly Fields[] {
    const { separator, multival } = this.#options;
    // As a timestamp, several times joined to one text would mislead whatever reads it.
    const collected = this.#values.filter(
      ({ field, values }) => values.size > 0 && !(field === '@timestamp' && multival && values.size > 1),
    );
    if (multival) return joinAll(collected, separator);
    return collected.flatMap(({ field, values }) =>
      [...values].flatMap((value) => singleField(field, value)),
    );
  }
}

function joinAll(
  collected: readonly { readonly field: string; readonly values: ReadonlySet<string> }[],
  separator: string,
): readonly Fields[] {
  if (collected.length === 0) return [];
  const row: Fields = {};
  for (const { field, values } of collected) writeField(row, field, [...values].join(separator));
  return [row];
}
