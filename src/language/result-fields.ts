import { tryOr } from '../core/try-or.ts';
import { fieldsAfter, type PossibleFields } from './diagnostics/field-flow.ts';
import { parse } from './parse.ts';

/** What is known of the fields of the rows of a query. `undefined`: they can have any, or it can't be parsed. */
export function resultFields(query: string): PossibleFields {
  return tryOr(undefined, () => fieldsAfter(parse(query), undefined));
}

/** The fields of the rows of a query that are numbers which functions have computed. */
export function resultNumbers(query: string): ReadonlySet<string> {
  const fields = [...(resultFields(query) ?? [])];
  return new Set(fields.flatMap(([name, { isNumber }]) => (isNumber ? [name] : [])));
}
