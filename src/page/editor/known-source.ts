import { summarizeFields } from '../../core/records/field-summary.ts';
import type { KnownSource } from '../../language/index.ts';
import { fieldSample } from '../search/field-sample.ts';

const MAX_VALUE_LENGTH = 80;

/** The fields and values that the editor suggests: those of the newest records. */
export function knownSource(): KnownSource {
  const rows = fieldSample.value.map(({ row }) => row);
  const fields = summarizeFields(rows).map(({ name, top }) => {
    const values = top.map(([value]) => value).filter(({ length }) => length <= MAX_VALUE_LENGTH);
    return { name, values };
  });
  return { fields };
}
