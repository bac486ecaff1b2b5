import { escapeRegex } from '../../core/escape-regex.ts';
import { quoteField, quoteString } from '../../core/query-text.ts';
import { LEVEL_FIELDS } from '../../core/records/record-fields.ts';
import { spellingsOf } from '../../core/records/severity.ts';
import type { SearchState } from '../state/search-state.ts';

/** A condition for exactly this value of a field, or with `!=` for all others. */
export function isEqual(field: string, value: string, operator: '=' | '!=' = '='): string {
  // A star in a comparison is a wildcard.
  const wanted = value.includes('*') ? `/^${escapeRegex(value)}$/` : quoteString(value);
  return quoteField(field) + operator + wanted;
}

/** A condition for the events of a group. The group without a value includes events without the field. */
export function isInGroup(field: string, value: string): string {
  const equal = isEqual(field, value);
  return value === '' ? `(${equal} or ${quoteField(field)}!=*)` : equal;
}

type Conditions = Pick<SearchState, 'query' | 'filters' | 'levels' | 'levelFields'>;

/** A condition for events with one of these levels, in any spelling. */
function isOfLevel(levels: readonly string[], fields: readonly string[]): string {
  const pattern = `/^(?:${levels.flatMap(spellingsOf).map(escapeRegex).join('|')})$/i`;
  const conditions = fields.map((field) => `${quoteField(field)}=${pattern}`);
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' or ')})`;
}

/** The complete query of a search, which finds levels in every known field, also those of records that arrive later. */
export function fullQuery(state: Omit<Conditions, 'levelFields'>): string {
  return readableQuery({ ...state, levelFields: LEVEL_FIELDS });
}

/** The same query with only the level fields in use, to copy and save: filters, levels, then the query in the editor. */
export function readableQuery({ query, filters, levels, levelFields }: Conditions): string {
  const conditions = filters.filter(({ isOff }) => !isOff).map(({ text }) => text);
  if (levels.length > 0) conditions.push(isOfLevel(levels, levelFields));
  if (conditions.length === 0) return query.trim();
  const start = definitionsEnd(query);
  return joinSteps([query.slice(0, start).replace(/\|\s*$/, ''), conditions.join(' '), query.slice(start)]);
}

const DEFINITION = /\s*(?:defineTable|setTimeInterval)\s*\(/iy;
/** A string, comments, a regular expression, or a parenthesis. */
const PART = /"(?:\\.|[^"\\])*"|\/\/.*|\/\*[\s\S]*?\*\/|\/(?:\\.|[^/\\\n])+\/|[()]/g;
const SEPARATOR = /(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*\|?\s*/y;

/**
 * The index after the definitions at the start of a query, such as `defineTable(…) |`: conditions can't be before them.
 * Without the parser, which the playground loads only once.
 */
export function definitionsEnd(query: string): number {
  let end = 0;
  for (DEFINITION.lastIndex = 0; DEFINITION.test(query); DEFINITION.lastIndex = end) {
    PART.lastIndex = DEFINITION.lastIndex;
    for (let depth = 1; depth > 0; ) {
      const [part] = PART.exec(query) ?? [];
      if (part === undefined) return end;
      if (part === '(') depth++;
      if (part === ')') depth--;
    }
    SEPARATOR.lastIndex = PART.lastIndex;
    end = PART.lastIndex + SEPARATOR.exec(query)![0].length;
  }
  return end;
}

/** Joins steps with `|`. Empty ones are omitted. */
export function joinSteps(steps: readonly string[]): string {
  return (
    steps
      .map((step) => step.trim())
      .filter((step) => step !== '')
      // A comment at the end of a step would hide the next one.
      .map((step, index, all) => (index < all.length - 1 && step.includes('//') ? `${step}\n` : step))
      .join(' | ')
  );
}
