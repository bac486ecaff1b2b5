import { isDate, isRegExp } from '../../core/builtin-types.ts';
import { LogOptionsException } from '../../core/errors.ts';
import { describe, requireString } from '../../core/option-checks.ts';
import { type FragmentPart, type FragmentValue, textPart } from './fragment/fragment-part.ts';
import { isQueryFragment, PARTS, QueryFragment } from './query-fragment.ts';

/** A value that can be inserted into a query: a literal, a list of literals, or another fragment. */
export type LqlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | RegExp
  | QueryFragment
  | readonly LqlValue[];

/**
 * Builds a query with safely quoted values:
 *
 * ```ts
 * await client.query(lql`#service = ${service} in(status, values=[${[500, 503]}]) | count()`);
 * ```
 *
 * - A string is quoted, whatever it contains. A string with `*` is rejected: use `lql.pattern` for wildcards.
 * - Numbers and booleans are inserted as they are, a Date as epoch milliseconds.
 * - A RegExp keeps its JavaScript meaning.
 * - A list fills `[…]`. In `in()`, an empty list matches nothing.
 * - A fragment is put in parentheses, so it keeps its meaning, unless it is a whole step, argument or element.
 *
 * The text between values is used as written: `\d` needs no second backslash.
 *
 * @throws LogOptionsException for an unsupported value such as `undefined`, an object or NaN. When the query is used:
 * for a value in a string, in a comment, or next to a word.
 */
export function lql(texts: TemplateStringsArray, ...values: readonly LqlValue[]): QueryFragment {
  if (!Array.isArray(texts?.raw)) {
    throw new LogOptionsException(
      'lql is a tag: write lql`…`, not lql(…). For unescaped text, use lql.raw(text).',
    );
  }
  const parts = texts.raw.flatMap((text, index): FragmentPart[] => {
    const plain = textPart(text.replace(/\\(`|\$\{)/g, '$1'));
    return index === 0 ? [plain] : [partFor(values[index - 1], `value ${index}`), plain];
  });
  return new QueryFragment(parts);
}

/** Inserts a field name, quoted if necessary: `` lql`${lql.field('user agent')} = ${agent}` ``. */
lql.field = (name: string): QueryFragment => {
  if (typeof name === 'string' && name !== '') return new QueryFragment([{ kind: 'field', text: name }]);
  throw new LogOptionsException(`lql.field: the name must be a non-empty string (got ${describe(name)}).`);
};

/** Inserts a string in which `*` is a wildcard: `` lql`host = ${lql.pattern(`${prefix}-*`)}` ``. */
lql.pattern = (text: string): QueryFragment => {
  requireString('lql.pattern', 'the pattern', text);
  return new QueryFragment([{ kind: 'pattern', text }]);
};

/** Inserts query text without quoting or parentheses. Never use it with user input. */
lql.raw = (text: string): QueryFragment => {
  requireString('lql.raw', 'the text', text);
  return new QueryFragment([{ kind: 'text', text, isRaw: true }]);
};

/**
 * Joins values or fragments with a separator such as `' or '`, which is inserted without quoting.
 *
 * @param ifEmpty replacement for an empty list, such as `` lql`false` `` for alternatives. Required because inserting
 * nothing would change what the query matches.
 * @throws LogOptionsException for an empty list without `ifEmpty`.
 */
lql.join = (values: readonly LqlValue[], separator = ', ', ifEmpty?: QueryFragment): QueryFragment => {
  if (!Array.isArray(values)) {
    throw new LogOptionsException(`lql.join: the values must be a list (got ${describe(values)}).`);
  }
  if (ifEmpty !== undefined && !isQueryFragment(ifEmpty)) {
    throw new LogOptionsException(`lql.join: "ifEmpty" must be made by lql (got ${describe(ifEmpty)}).`);
  }
  if (values.length > 0) {
    return new QueryFragment(joined(values, textPart(lql.raw(separator).toString()), 'item'));
  }
  if (ifEmpty !== undefined) return ifEmpty;
  throw new LogOptionsException(
    `lql.join: the list is empty, and omitting it would change what the query finds. Pass a replacement as the third argument: lql.join(list, ${JSON.stringify(separator)}, lql\`false\`) finds nothing, lql\`true\` finds everything, lql\`\` omits it.`,
  );
};

function joined(values: readonly LqlValue[], separator: FragmentPart, name: string): FragmentPart[] {
  return values.flatMap((value, index) => {
    const part = partFor(value, `${name} ${index + 1}`);
    return index === 0 ? [part] : [separator, part];
  });
}

/** @param name name of the value in messages. */
function partFor(value: LqlValue | undefined, name: string): FragmentPart {
  if (isQueryFragment(value)) return { kind: 'fragment', parts: value[PARTS] };
  if (Array.isArray(value)) return listPart(value, name);
  return { kind: 'literal', value: requireValue(value, name) };
}

function listPart(values: readonly LqlValue[], name: string): FragmentPart {
  if (values.some((value) => Array.isArray(value))) {
    throw new LogOptionsException(
      `lql: ${name} is a list of lists. Write each inner list in its own brackets.`,
    );
  }
  return { kind: 'list', items: joined(values, textPart(', '), `${name}, item`) };
}

function requireValue(value: unknown, name: string): FragmentValue {
  const isPlain = ['string', 'boolean', 'bigint'].includes(typeof value) || Number.isFinite(value);
  const isValid = isPlain || isRegExp(value) || (isDate(value) && !Number.isNaN(value.getTime()));
  if (isValid) return value as FragmentValue;
  throw new LogOptionsException(`lql: ${name} ${whyNot(value)}`);
}

function whyNot(value: unknown): string {
  if (value === undefined || value === null) {
    return `is ${value}, which no field can be. For events without a field, write lql\`field != *\`.`;
  }
  if (isDate(value)) return 'is an invalid date.';
  if (typeof value === 'number') return `is ${value}, which is not a number in LogScale.`;
  return `can't be ${describe(value)}: pass strings, finite numbers, booleans, dates, regular expressions, lists of these, or lql fragments.`;
}
