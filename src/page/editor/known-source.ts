import { MAX_FIELDS } from '../../core/records/field-summary.ts';
import type { KnownField, KnownSource } from '../../language/index.ts';
import { fieldSample } from '../search/field-sample.ts';

const MAX_VALUES = 30;
const MAX_VALUE_LENGTH = 80;

/** The fields and values that the editor suggests: those of the newest records. */
export function knownSource(): KnownSource {
  const fields = new Map<string, Map<string, number>>();
  for (const { row } of fieldSample.value) {
    for (const name in row) {
      const values = fields.get(name) ?? new Map<string, number>();
      if (fields.size < MAX_FIELDS || fields.has(name)) fields.set(name, values);
      const value = String(row[name]);
      if (value.length <= MAX_VALUE_LENGTH) values.set(value, (values.get(value) ?? 0) + 1);
    }
  }
  return { fields: [...fields].map(([name, values]) => knownField(name, values)) };
}

function knownField(name: string, values: ReadonlyMap<string, number>): KnownField {
  const frequent = [...values].sort(([, left], [, right]) => right - left).slice(0, MAX_VALUES);
  return { name, values: frequent.map(([value]) => value) };
}
