import type { PossibleFields } from '../../src/language/index.ts';

/** What is wrong with the derived fields of a query, for these rows. */
export function falseFields(
  fields: PossibleFields,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  if (fields === undefined) return [];
  return rows.flatMap((row) => [
    ...Object.keys(row).flatMap((name) => (fields.has(name) ? [] : [`has ${name}`])),
    ...Array.from(fields).flatMap(([name, { isNumber, isSure }]) => {
      const value = row[name];
      if (value === undefined) return isSure ? [`lacks ${name}`] : [];
      return isNumber && !Number.isFinite(Number(value)) ? [`${name} is ${value}`] : [];
    }),
  ]);
}
