import { isDate, isRegExp } from '../../../core/builtin-types.ts';
import { LogOptionsException } from '../../../core/errors.ts';
import { PLAIN_NAME, quoteField, quoteString } from '../../../core/query-text.ts';
import type { ValuePart } from './fragment-part.ts';
import { regexText } from './regex-text.ts';

/** Functions that accept a regular expression. */
const REGEX_FUNCTIONS = ['regex', 'replace', 'splitstring', 'array:regex'];

/** Strings that the service parses as numbers. */
const NUMBER_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The context of a value in its query. */
export interface ValuePlace {
  /** The function whose arguments contain it, in lower case. */
  readonly functionName: string | undefined;
  /** Whether it is compared, assigned to, or the name of an argument. */
  readonly isName: boolean;
  /** Whether it is an operand of an expression, in which a quoted name would be a string. */
  readonly isFieldValue: boolean;
  /** Whether it follows `<`, `<=`, `>` or `>=` of a filter. */
  readonly isOrdered: boolean;
  /** The query before it, for messages. */
  readonly before: string;
}

/** Writes a value as a single literal, regardless of its content. @throws LogOptionsException if there is no such literal */
export function valueText(part: ValuePart, place: ValuePlace): string {
  if (part.kind === 'field') return fieldText(part.text, place);
  if (place.isName) fail(place, 'a value', 'a field name belongs here: use lql.field(name)');
  if (part.kind === 'pattern') return stringText(part.text, 'a pattern', place);
  const { value } = part;
  if (isRegExp(value)) return regexValueText(value, place);
  if (typeof value === 'string') return stringText(withoutStar(value, place), 'a string', place);
  if (typeof value === 'boolean') {
    if (place.isOrdered) fail(place, 'a boolean', 'a filter can only order numbers');
    return String(value);
  }
  return decimalText(isDate(value) ? value.getTime() : value);
}

/** `*` is a wildcard in filters and some functions, and can't be escaped. */
function withoutStar(text: string, place: ValuePlace): string {
  if (!text.includes('*')) return text;
  return fail(
    place,
    'a string with "*"',
    '"*" can be a wildcard and can\'t be escaped. Use lql.pattern() if you want a wildcard. To match a literal "*" in a filter, use a RegExp',
  );
}

function stringText(text: string, what: string, place: ValuePlace): string {
  if (place.isOrdered && !NUMBER_TEXT.test(text)) {
    fail(place, what, 'a filter can only order numbers; test(a > b) compares two fields');
  }
  return quoteString(text);
}

function fieldText(name: string, place: ValuePlace): string {
  if (place.isFieldValue) return PLAIN_NAME.test(name) ? name : `getField(${quoteString(name)})`;
  if (place.isName || place.functionName !== undefined) return quoteField(name);
  return fail(
    place,
    'a field',
    'a filter compares a field with a string. Use test(a == b) to compare two fields',
  );
}

/** Arguments must be strings, which include the flags. */
function regexValueText(regex: RegExp, place: ValuePlace): string {
  const { functionName, isFieldValue, isOrdered } = place;
  const { body, flags } = regexText(regex);
  if (functionName === undefined && !isFieldValue && !isOrdered) return `/${body}/${flags}`;
  if (!REGEX_FUNCTIONS.includes(functionName ?? '')) {
    fail(
      place,
      'a RegExp',
      `a regular expression is only valid in a filter, or as an argument of ${REGEX_FUNCTIONS.join('(), ')}()`,
    );
  }
  if (flags.includes('g')) fail(place, 'a RegExp with the flag "g"', 'use repeat=true of regex()');
  const inline = flags.replace('d', 's');
  return quoteString(inline === '' ? body : `(?${inline})${body}`);
}

export function fail({ before }: Pick<ValuePlace, 'before'>, what: string, advice: string): never {
  throw new LogOptionsException(`lql: ${what} can't follow ${JSON.stringify(before)}: ${advice}.`);
}

/** A number without an exponent: in an expression, `1e-7` would be a subtraction. */
function decimalText(number: number | bigint): string {
  const text = String(number);
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const shift = Number(exponent);
  const digits = whole + fraction;
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - whole.length)}${digits}`
    : `${sign}${digits.padEnd(whole.length + shift, '0')}`;
}
