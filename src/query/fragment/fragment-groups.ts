import { LogOptionsException } from '../../errors.ts';
import {
  type FragmentForm,
  formOf,
  isMark,
  isWord,
  OPERATORS,
  type Outline,
  operatorAt,
} from './fragment-form.ts';
import type { FragmentRange, QueryToken, QueryTokens } from './query-tokens.ts';

/** Where something begins and ends among the tokens. */
interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The nested fragments of a query that need parentheses, lest what stands beside them takes them apart: a `not` would be
 * for the first of two alternatives alone.
 *
 * @throws LogOptionsException where parentheses don't help.
 */
export function groupedFragments(query: QueryTokens): FragmentRange[] {
  const { tokens, fragments } = query;
  /** By where they begin, where they end. */
  const groups = new Map<number, number>();
  return fragments.filter((range) => {
    const stretch = { from: query.indexAt(range.start), to: query.indexAt(range.end) };
    const form = formOfRange(tokens, groups, stretch);
    // What touches a word is text that a program puts together.
    if (form === undefined || form === 'one' || isGlued(tokens, range, stretch)) return false;
    const need = form === 'sum' ? sumNeed(tokens, stretch) : filterNeed(tokens, stretch, form);
    if (need === 'refusal' && !range.isRaw) refuse(query, range);
    if (need !== 'parentheses') return false;
    groups.set(stretch.from, stretch.to);
    return true;
  });
}

function formOfRange(
  tokens: readonly QueryToken[],
  groups: ReadonlyMap<number, number>,
  stretch: TokenRange,
): FragmentForm | undefined {
  const outline = outlineOf(tokens, groups, stretch);
  return outline && formOf(outline, tokens[stretch.from]?.isExpression === true);
}

/** @returns undefined if a bracket is open. */
function outlineOf(
  tokens: readonly QueryToken[],
  groups: ReadonlyMap<number, number>,
  { from, to }: TokenRange,
): Outline | undefined {
  const outline: Outline[number][] = [];
  let depth = 0;
  for (let at = from; at < to; at++) {
    const token = tokens[at]!;
    const groupEnd = groups.get(at);
    if (groupEnd !== undefined) {
      if (depth === 0) outline.push('group');
      at = groupEnd - 1;
    } else if (isMark(token, ['(', '[', '{', '?{'])) {
      if (depth++ === 0) outline.push(bracketOf(token, tokens[at - 1]));
    } else if (isMark(token, [')', ']', '}'])) {
      if (depth-- === 0) return undefined;
    } else if (depth === 0) outline.push(token);
  }
  return depth === 0 ? outline : undefined;
}

function bracketOf({ text, start }: QueryToken, previous: QueryToken | undefined): Outline[number] {
  if (text === '{') return 'arms';
  const isCall = text === '(' && previous?.end === start && ['word', 'saved'].includes(previous.kind);
  return isCall ? 'arguments' : 'group';
}

function isGlued(
  tokens: readonly QueryToken[],
  { start, end }: FragmentRange,
  { from, to }: TokenRange,
): boolean {
  return (tokens[from - 1]?.end ?? 0) > start || (tokens[to - 1]?.end ?? 0) > end;
}

type Need = 'parentheses' | 'refusal' | undefined;

function sumNeed(tokens: readonly QueryToken[], { from, to }: TokenRange): Need {
  const left = tokens[from - 1];
  const isBesideOperator =
    isMark(left, [...OPERATORS, '!']) || isWord(left, 'not') || isMark(tokens[to], OPERATORS);
  return isBesideOperator ? 'parentheses' : undefined;
}

function filterNeed(tokens: readonly QueryToken[], { from, to }: TokenRange, form: FragmentForm): Need {
  const left = operatorAt(tokens, from - 1);
  const right = operatorAt(tokens, to);
  if (left === 'comparison' || right === 'comparison' || isAssigned(tokens, to)) return 'refusal';
  const isTakenApart = left === 'not' || (form !== 'or' && (left === 'or' || right === 'or'));
  if (form === 'steps') return isTakenApart || isContinued(tokens[to]) ? 'refusal' : undefined;
  return isTakenApart || isCalled(tokens, to) ? 'parentheses' : undefined;
}

/** Whether the last word would be a field of what follows. */
function isAssigned(tokens: readonly QueryToken[], to: number): boolean {
  return isMark(tokens[to], [':=']) || (isWord(tokens[to], 'match') && isMark(tokens[to + 1], ['{']));
}

/** Whether the value of an assignment goes on. */
function isContinued(next: QueryToken | undefined): boolean {
  return next?.isExpression === true && !isMark(next, ['|', ';', '}', ')']);
}

/** Whether the last word would be the name of a function. */
function isCalled(tokens: readonly QueryToken[], to: number): boolean {
  return isMark(tokens[to], ['(']) && tokens[to - 1]?.end === tokens[to]?.start;
}

function refuse(query: QueryTokens, { start, end }: FragmentRange): never {
  const advice = 'Put it in its own step, with "|" on both sides, or write it directly in the query';
  throw new LogOptionsException(
    `lql: the fragment inserted after ${JSON.stringify(query.before(start))} would be split by the text next to it: ${JSON.stringify(query.before(end))}. ${advice}.`,
  );
}
