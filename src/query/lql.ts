import { isDate, isRegExp } from 'node:util/types';
import { LogOptionsException } from '../errors.ts';
import { describe } from '../internal/option-checks.ts';
import {
  EMPTY_LIST,
  type FragmentPart,
  type FragmentValue,
  nested,
  textPart,
} from './fragment/fragment-part.ts';
import { FieldName, PatternText } from './fragment/marked-text.ts';
import { isQueryFragment, partsOf, QueryFragment } from './query-fragment.ts';

/** What can be put into a query: a value, a list of them, or another fragment. */
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
 * A query whose values can't change it:
 *
 * ```ts
 * await client.query(lql`service = ${service} in(status, values=[${[500, 503]}]) | count()`);
 * ```
 *
 * - A string is quoted, whatever is in it; also `*` stands for itself. `lql.pattern` makes it a wildcard.
 * - Numbers and booleans stand as they are, a Date as epoch milliseconds.
 * - A RegExp keeps the meaning that it has in JavaScript.
 * - A list fills `[…]`. Without members it matches nothing in `in()`.
 * - What `lql` makes stays what it is: in parentheses where it would be taken apart, as after `not`.
 *
 * The text between the values is read as it is written: `\d` needs no second backslash.
 *
 * @throws LogOptionsException for what can't be a value, such as `undefined`, an object or NaN; and, when the query is
 * used, for a value inside a string or a comment and at other places where it could not stay a value.
 */
export function lql(texts: TemplateStringsArray, ...values: readonly LqlValue[]): QueryFragment {
  if (!Array.isArray(texts?.raw)) {
    throw new LogOptionsException(
      'lql is a tag: write lql`…`, not lql(…). For unescaped text, use lql.raw(text).',
    );
  }
  const parts = texts.raw.flatMap((text, index): FragmentPart[] => {
    const plain = textPart(text.replace(/\\(`|\$\{)/g, '$1'));
    return index === 0 ? [plain] : [...partsFor(values[index - 1], `value ${index}`), plain];
  });
  return new QueryFragment(parts);
}

/** The name of a field, in quotes where it needs them: `` lql`${lql.field('user agent')} = ${agent}` ``. */
lql.field = (name: string): QueryFragment => {
  if (typeof name === 'string' && name !== '') return fragmentOf(new FieldName(name));
  throw new LogOptionsException(`lql.field: the name must be a non-empty string (got ${describe(name)}).`);
};

/** A text in which `*` stands for anything: `` lql`host = ${lql.pattern(`${prefix}-*`)}` ``. */
lql.pattern = (text: string): QueryFragment => {
  if (typeof text === 'string') return fragmentOf(new PatternText(text));
  throw new LogOptionsException(`lql.pattern: the pattern must be a string (got ${describe(text)}).`);
};

/**
 * A part of a query as it is, but for parentheses around a whole filter with `and` or `or` beside a `not` or an `or`.
 * Never for text that comes from a user.
 */
lql.raw = (text: string): QueryFragment => {
  if (typeof text === 'string') return new QueryFragment([{ kind: 'text', text, isRaw: true }]);
  throw new LogOptionsException(`lql.raw: the text must be a string (got ${describe(text)}).`);
};

/**
 * Values or fragments with a text such as `' or '` between them, which is taken as it is.
 *
 * @param ifEmpty what to write for an empty list, such as `` lql`false` `` for alternatives: nothing at all would let
 * the query find everything else.
 * @throws LogOptionsException for an empty list without `ifEmpty`.
 */
lql.join = (values: readonly LqlValue[], separator = ', ', ifEmpty?: QueryFragment): QueryFragment => {
  if (!Array.isArray(values)) {
    throw new LogOptionsException(`lql.join: the values must be a list (got ${describe(values)}).`);
  }
  if (ifEmpty !== undefined && !isQueryFragment(ifEmpty)) {
    throw new LogOptionsException(`lql.join: "ifEmpty" must be made by lql (got ${describe(ifEmpty)}).`);
  }
  if (values.length === 0) return ifEmpty ?? refuseEmpty(separator);
  return new QueryFragment(joined(values, textPart(lql.raw(separator).toString()), 'item'));
};

function refuseEmpty(separator: string): never {
  throw new LogOptionsException(
    `lql.join: the list is empty, and omitting it would change what the query finds. Pass a replacement as the third argument: lql.join(list, ${JSON.stringify(separator)}, lql\`false\`) finds nothing, lql\`true\` finds everything, lql\`\` omits it.`,
  );
}

function fragmentOf(value: FragmentValue): QueryFragment {
  return new QueryFragment([{ kind: 'value', value, isListed: false }]);
}

function joined(values: readonly LqlValue[], separator: FragmentPart, name: string): FragmentPart[] {
  return values.flatMap((value, index) => {
    const parts = partsFor(value, `${name} ${index + 1}`);
    return index === 0 ? parts : [separator, ...parts];
  });
}

/** @param name what to call the value in messages. */
function partsFor(value: LqlValue | undefined, name: string): FragmentPart[] {
  if (isQueryFragment(value)) return nested(partsOf(value));
  if (Array.isArray(value)) return listParts(value, name);
  return [{ kind: 'value', value: requireValue(value, name), isListed: false }];
}

function listParts(values: readonly LqlValue[], name: string): FragmentPart[] {
  if (values.length === 0) return [{ kind: 'value', value: EMPTY_LIST, isListed: true }];
  if (values.some((value) => Array.isArray(value))) {
    throw new LogOptionsException(
      `lql: ${name} is a list of lists. Write each inner list in its own brackets.`,
    );
  }
  const parts = joined(values, textPart(', '), `${name}, item`);
  return parts.map((part) => (part.kind === 'value' ? { ...part, isListed: true } : part));
}

function requireValue(value: unknown, name: string): FragmentValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'object':
      if (isRegExp(value)) return value;
      if (isDate(value) && !Number.isNaN(value.getTime())) return value;
      break;
  }
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
