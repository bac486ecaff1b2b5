import { escapeRegex } from '../core/escape-regex.ts';
import { fieldHints, levelField } from '../core/field-hints.ts';
import { nearestName } from '../core/nearest-name.ts';
import { fieldNames } from '../core/records/field-names.ts';
import { LEVEL_FIELDS } from '../core/records/record-fields.ts';
import { LEVEL_NAMES, LEVEL_WORDS, levelName } from '../core/records/severity.ts';
import { tryOr } from '../core/try-or.ts';
import type { StepNode } from './ast.ts';
import { groupKeys } from './result-fields.ts';
import { parseTree } from './syntax-tree.ts';
import { walk } from './walk.ts';

type LoggedRow = Readonly<Record<string, unknown>>;

/**
 * Hints for a query that finds nothing: unknown fields and levels, values in another case, and a sentence without quotes.
 *
 * @param rows events that the query could have found.
 * @param what such as `line`
 */
export function noMatchHints(queryString: string, rows: readonly LoggedRow[], what: string): string[] {
  const [sentence] = SENTENCE.exec(queryString) ?? [];
  return [
    ...fieldHints(fieldsOf(queryString), fieldNames(rows), what),
    ...valueHints(leadingSteps(queryString).filters, rows, what),
    ...(sentence === undefined ? [] : [`To find this text, quote it: "${sentence.trim()}"`]),
  ];
}

/** Words with `not` between them, which excludes events with the next word. */
const SENTENCE = /^\s*[\p{L}\d']+(?: [\p{L}\d']+)* not(?: [\p{L}\d']+)+(?=\s*(?:\||$))/u;

/** A line for each level that is none, and for each value that events have only in another case. */
function valueHints(filters: readonly StepNode[], rows: readonly LoggedRow[], what: string): string[] {
  const hints: string[] = [];
  const compare = (text: string, name?: string): void => {
    const field = name && levelField(name, fieldNames(rows));
    const values = rows.map((row) => String(row[field ?? '@rawstring'] ?? ''));
    if (values.some((value) => placeOf(text, value, field !== undefined) !== undefined)) return;
    const [found = ''] = values.flatMap((value) => {
      const place = placeOf(text.toLowerCase(), value.toLowerCase(), field !== undefined);
      return place === undefined
        ? []
        : value.slice(place.start, Math.min(place.end, place.start + MAX_SHOWN));
    });
    const level = LEVEL_FIELDS.includes(field ?? '') ? meantLevel(text) : undefined;
    if (found === '' && level !== undefined)
      hints.push(`No ${what} has ${field}=${text}. Levels are stored as labels: ${field}=${level}`);
    if (found === '') return;
    const body = text.split('*').map(escapeRegex);
    const pattern = field === undefined ? body.join('.*') : `^${body.join('.*')}$`;
    const written = `${field === undefined ? '' : `${field}=`}/${pattern}/i`;
    hints.push(
      `No ${what} has ${JSON.stringify(text)}, but ${JSON.stringify(found)}. To ignore case, write ${written}`,
    );
  };
  for (const step of filters)
    walk(step, {
      Not: () => false,
      Comparison: ({ field, operator, value }) =>
        void (operator === '=' && value.kind === 'Pattern' && compare(value.text, field.name)),
      FreeText: ({ value }) => void (value.kind === 'Pattern' && compare(value.text)),
    });
  return hints;
}

/** The level that a number, an abbreviation or a misspelled level means. */
function meantLevel(text: string): string | undefined {
  const name = levelName(text);
  if (name !== text.toLowerCase()) return name;
  return LEVEL_WORDS.includes(name) ? undefined : nearestName(name, LEVEL_NAMES);
}

const MAX_SHOWN = 80;

/** Where a pattern with `*` is in a value, or whether it is all of it. In linear time, which a regular expression isn't. */
function placeOf(
  text: string,
  value: string,
  isWhole: boolean,
): { readonly start: number; readonly end: number } | undefined {
  const parts = text.split('*');
  let [start, end] = [0, 0];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const at = isWhole && isLast ? value.length - part.length : value.indexOf(part, end);
    if (at < end || (isWhole && index === 0 && at !== 0) || !value.startsWith(part, at)) return undefined;
    if (index === 0) start = at;
    end = at + part.length;
  }
  return { start, end };
}

/** The fields that a query compares before it does anything else, and those by which it then groups. */
export function fieldsOf(queryString: string): string[] {
  const names = new Set<string>();
  const { filters, next } = leadingSteps(queryString);
  for (const step of filters) walk(step, { Comparison: ({ field }) => void names.add(field.name) });
  return [...names, ...groupKeys(next)];
}

/** The steps up to the first that can create fields. */
function leadingSteps(queryString: string): { filters: readonly StepNode[]; next: StepNode | undefined } {
  // The service accepts more than this parser.
  const steps = tryOr([], () => parseTree(queryString).steps);
  const end = steps.findIndex(({ kind }) => !FILTERS.has(kind));
  return { filters: end === -1 ? steps : steps.slice(0, end), next: steps[end] };
}

const FILTERS = new Set(['And', 'Or', 'Not', 'Boolean', 'Comparison', 'FreeText']);
