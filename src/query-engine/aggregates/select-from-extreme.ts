import { type Fields, readField } from '../event.ts';
import { fieldName, fieldNames } from '../signature/argument-types.ts';
import { defineAggregate, type FunctionSpec, required } from '../signature/function-spec.ts';
import { parseNumber } from '../value.ts';
import { pickFields } from './pick-fields.ts';

/** An aggregate that shows fields of the event whose number in a field `beats` all others; of several, the first. */
export function defineSelectFrom(
  name: string,
  beats: (number: number, best: number) => boolean,
): FunctionSpec {
  return defineAggregate({
    name,
    parameters: {
      field: required(fieldName, { unnamed: true }),
      include: required(fieldNames),
    },
    compile({ field, include }) {
      const includesAll = include.includes('*');
      return {
        columns: (before) => (includesAll ? before : include),
        open() {
          let best: number | undefined;
          let selected: Fields | undefined;
          return {
            push(row) {
              const number = parseNumber(readField(row, field) ?? '');
              if (number === undefined || (best !== undefined && !beats(number, best))) return;
              best = number;
              selected = includesAll ? row : pickFields(row, include);
            },
            rows: () => (selected === undefined ? [] : [selected]),
          };
        },
      };
    },
  });
}
