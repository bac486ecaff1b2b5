import { LABELED_LEVELS, LEVEL_LABELS } from '../../core/records/logger-line.ts';

/** A comparison of a field with a number. */
export interface NumberComparison {
  readonly field: string;
  readonly operator: string;
  readonly bound: string;
  /** What finds nothing. Default: the comparison. */
  readonly use?: string;
}

/** The warning about a comparison of a field that holds only text, and what to write for the names of levels. */
export function textComparison(
  { field, operator, bound, use = `${field} ${operator} ${bound}` }: NumberComparison,
  texts: readonly string[],
): { readonly message: string; readonly write?: string } {
  const shown = texts.slice(0, 3).map((text) => JSON.stringify(text.slice(0, 40)));
  const message = `"${field}" is never a number here, only text such as ${shown.join(', ')}: ${use} finds nothing.`;
  const isFound = (level: number) =>
    level === Number(bound) ? operator.endsWith('=') : level < Number(bound) === operator.startsWith('<');
  const names = [...LABELED_LEVELS].filter(([level]) => isFound(level)).map(([, name]) => name);
  const isLevel = texts.every((text) => LEVEL_LABELS.includes(text));
  if (!isLevel || names.length === 0 || !/^[\w.@#]+$/.test(field)) return { message };
  return { message, write: `in(${field}, values=[${names.join(', ')}])` };
}
