import { LogOptionsException } from '../../errors.ts';
import type { QueryToken, QueryTokens, ValueToken } from './query-tokens.ts';
import type { PlaceKind, ValuePlace } from './value-place.ts';

const EQUALITIES = ['=', '!='];
const ORDERINGS = ['<', '<=', '>', '>='];
/** What stands behind a field in a filter. */
const AFTER_FIELD = [...EQUALITIES, ...ORDERINGS, '<=>', ':=', '=~'];
const BEFORE_ARGUMENT = ['(', ',', '[', '='];
const AFTER_ARGUMENT = [')', ',', ']'];

interface Neighbors {
  readonly previous: QueryToken | undefined;
  readonly next: QueryToken | undefined;
  readonly afterNext: QueryToken | undefined;
}

/**
 * What a value is in its query.
 *
 * @throws LogOptionsException where it would become a part of a longer word.
 */
export function placeOf(value: ValueToken, query: QueryTokens): ValuePlace {
  const { tokens } = query;
  const { at } = value;
  const around: Neighbors = {
    previous: tokens[at - 1],
    next: tokens[at + 1],
    afterNext: tokens[at + 2],
  };
  const before = query.before(value.start);
  refuseGlue(value, around, before);
  const { kind, functionName, isUnclear = false } = value.brackets;
  return { kind: kindOf(value, around), functionName, isUnclear, isInList: kind === 'list', before };
}

function refuseGlue(value: ValueToken, { previous, next }: Neighbors, before: string): void {
  const isGlued =
    (previous?.end === value.start && (previous.kind !== 'mark' || ':?$'.includes(previous.text))) ||
    (next?.start === value.end && (next.kind !== 'mark' || '([:`'.includes(next.text)));
  if (!isGlued) return;
  throw new LogOptionsException(
    `lql: the value after ${JSON.stringify(before)} touches other text and would not form one word with it. Make the whole word the value, with lql.pattern(\`…*\`) for wildcards, or use lql.raw().`,
  );
}

function kindOf({ brackets }: ValueToken, around: Neighbors): PlaceKind {
  if (isFieldName(around, brackets.isExpression)) return 'fieldName';
  if (brackets.isSavedArgument) return 'parameter';
  return brackets.isExpression ? expressionKind(around) : filterKind(around);
}

function expressionKind({ previous, next }: Neighbors): PlaceKind {
  const isWhole = isMark(previous, BEFORE_ARGUMENT) && isMark(next, AFTER_ARGUMENT);
  return isWhole ? 'argument' : 'operand';
}

function filterKind({ previous, next }: Neighbors): PlaceKind {
  if (isMark(previous, EQUALITIES) || isMark(next, ['=>'])) return 'equal';
  if (isMark(previous, ORDERINGS)) return 'ordered';
  return 'contained';
}

function isFieldName({ previous, next, afterNext }: Neighbors, isExpression: boolean): boolean {
  // `name=` of an argument, `name :=` of an element.
  if (isExpression) return isMark(next, ['=', ':=']);
  if (isMark(next, AFTER_FIELD) || isMark(previous, ['<=>'])) return true;
  if (isWord(next, 'match')) return isMark(afterNext, ['{']);
  return isWord(next, 'like') && !isMark(afterNext, AFTER_FIELD);
}

function isMark(token: QueryToken | undefined, marks: readonly string[]): boolean {
  return token?.kind === 'mark' && marks.includes(token.text);
}

function isWord(token: QueryToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}
