import type { Span } from './ast.ts';
import { applyEdit } from './diagnostics/diagnostic.ts';

/**
 * The query in an `` lql`…` `` template, with a word in place of each value. It is as long as the template's text, so that
 * offsets are the same: pass `values` to `check` as `unknownParts`.
 *
 * @param raw the source between the backticks
 * @param values the places of `${…}` in it, including the marks
 * @example
 * ```ts
 * templateQuery('level=${level}', [{ start: 6, end: 14 }]); // 'level=_0______'
 * ```
 */
export function templateQuery(raw: string, values: readonly Span[]): string {
  const write = (text: string, span: Span, index: number) =>
    applyEdit(text, { span, text: placeholder(raw, index, span) });
  // Resolves \` and \${.
  return values.reduce(write, raw).replace(/\\(?=`|\$\{)/g, ' ');
}

/** The text with the values of a template in place of their words; `undefined` if a word is missing. */
export function withTemplateValues(query: string, raw: string, values: readonly Span[]): string | undefined {
  let text = query;
  for (const [index, value] of values.entries()) {
    const word = placeholder(raw, index, value);
    if (text.split(word).length !== 2) return undefined;
    text = text.replace(word, () => raw.slice(value.start, value.end));
  }
  return text;
}

/** A word that can be a field, a value, an operand and free text; a number where a filter needs one. */
function placeholder(raw: string, index: number, { start, end }: Span): string {
  const isNumber = /[<>]=?\s*$/.test(raw.slice(0, start)) && !/<=>\s*$/.test(raw.slice(0, start));
  if (isNumber) return `9${String(index).padStart(end - start - 1, '0')}`;
  return `_${index.toString(36)}`.padEnd(end - start, '_');
}
