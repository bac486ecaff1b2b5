import { isDate, isRegExp } from 'node:util/types';
import { LogOptionsException } from '../../errors.ts';
import { fieldText } from './field-text.ts';
import { EMPTY_LIST, type FragmentValue } from './fragment-part.ts';
import { FieldName, PatternText } from './marked-text.ts';
import { decimalText, isNumberText } from './number-text.ts';
import { literalRegex, regexText } from './regex-text.ts';
import { quoted } from './string-text.ts';
import type { ValuePlace } from './value-place.ts';

/** Functions in whose arguments `*` stands for anything. */
const PATTERN_FUNCTIONS = ['in', 'wildcard'];
/** Functions that take a regular expression. */
const REGEX_FUNCTIONS = ['regex', 'replace', 'splitstring', 'array:regex'];

/**
 * A value as it stands in the text of the query: one literal that is nothing but this value.
 *
 * @throws LogOptionsException where there is no such literal.
 */
export function valueText(value: FragmentValue, isListed: boolean, place: ValuePlace): string {
  if (isListed && !place.isInList) {
    fail(place, 'a list', `a list is only valid in brackets, as in in(field, values=[\${list}])`);
  }
  if (value === EMPTY_LIST) return '';
  if (value instanceof FieldName) return fieldText(value.name, place);
  if (place.kind === 'fieldName') fail(place, 'a value', 'a field name belongs here: use lql.field(name)');
  if (value instanceof PatternText) return patternText(value, place);
  if (isRegExp(value)) return regexValueText(value, place);
  if (typeof value === 'string') return stringText(value, place);
  if (typeof value === 'boolean') {
    if (place.kind === 'ordered') fail(place, 'a boolean', 'a filter can only order numbers');
    return String(value);
  }
  const number = isDate(value) ? value.getTime() : value;
  const isExpression = place.kind === 'argument' || place.kind === 'operand';
  return isExpression ? decimalText(number) : String(number);
}

function stringText(text: string, place: ValuePlace): string {
  if (place.kind === 'ordered' && !isNumberText(text)) {
    fail(place, 'a string', 'a filter can only order numbers; test(a > b) compares two fields');
  }
  if (!text.includes('*')) return quoted(text);
  // Nothing escapes a star, but in a regular expression it has no meaning of its own.
  if (place.kind === 'equal') return `/\\A${literalRegex(text)}\\z/`;
  if (place.kind === 'contained') return `/${literalRegex(text)}/`;
  if (place.kind === 'parameter' || place.isUnclear || isPatternArgument(place)) {
    fail(
      place,
      'a string with "*"',
      '"*" is a wildcard here and can\'t be escaped. Use lql.pattern() if you want a wildcard. Otherwise compare with "=", and join several comparisons with lql.join() and " or "',
    );
  }
  return quoted(text);
}

function isPatternArgument({ functionName }: ValuePlace): boolean {
  return functionName !== undefined && PATTERN_FUNCTIONS.includes(functionName);
}

function patternText({ text }: PatternText, place: ValuePlace): string {
  if (place.kind === 'ordered') fail(place, 'a pattern', 'a filter can only order numbers');
  return quoted(text);
}

/** In arguments the service wants a text, whose flags can only be inside of it. */
function regexValueText(regex: RegExp, place: ValuePlace): string {
  const { body, flags } = regexText(regex);
  if (place.kind === 'equal' || place.kind === 'contained') return `/${body}/${flags}`;
  if (place.kind !== 'argument' || !REGEX_FUNCTIONS.includes(place.functionName ?? '')) {
    fail(
      place,
      'a RegExp',
      `a regular expression is only valid in a filter, or as an argument of ${REGEX_FUNCTIONS.join('(), ')}()`,
    );
  }
  if (flags.includes('g')) fail(place, 'a RegExp with the flag "g"', 'use repeat=true of regex()');
  const inline = flags.replace('d', 's');
  return quoted(inline === '' ? body : `(?${inline})${body}`);
}

function fail({ before }: ValuePlace, what: string, advice: string): never {
  throw new LogOptionsException(`lql: ${what} can't follow ${JSON.stringify(before)}: ${advice}.`);
}
