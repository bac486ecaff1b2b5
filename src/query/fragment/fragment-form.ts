import type { QueryToken } from './query-tokens.ts';

/**
 * What a fragment is, by its loosest operator.
 *
 * - `one`: a single term
 * - `or`, `and`: filters; `and` binds looser, and needs no word between them
 * - `sum`: an expression with an operator
 * - `steps`: with a `|` or an assignment, so that no parentheses can be around it
 */
export type FragmentForm = 'one' | 'or' | 'and' | 'sum' | 'steps';

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>=', '<=>', '=~'];
export const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '<=>'];

/**
 * Some tokens in a row, without those inside of brackets: `group` is an operand in brackets, `arguments` and `arms`, in
 * braces, belong to the word before them.
 */
export type Outline = readonly (QueryToken | 'group' | 'arguments' | 'arms')[];

/** @returns undefined for what is no whole, such as `or b`. */
export function formOf(outline: Outline, isExpression: boolean): FragmentForm | undefined {
  return isExpression ? expressionForm(outline) : filterForm(outline);
}

function filterForm(outline: Outline): FragmentForm | undefined {
  let form: FragmentForm = 'one';
  let isOperandDue = true;
  for (const [at, token] of outline.entries()) {
    if (isMark(token, ['|', ';', ':='])) return 'steps';
    const operator = operatorAt(outline, at);
    if (operator === 'not') {
      if (!isOperandDue) form = 'and';
      isOperandDue = true;
    } else if (operator !== undefined) {
      if (isOperandDue) return undefined;
      if (operator === 'and' || (operator === 'or' && form === 'one')) form = operator;
      isOperandDue = true;
    } else {
      if (!isOperandDue && !continues(outline, at)) form = 'and';
      isOperandDue = false;
    }
  }
  return isOperandDue ? undefined : form;
}

/** What connects filters, or a field with its value, at a place. */
export function operatorAt(outline: Outline, at: number): 'and' | 'or' | 'not' | 'comparison' | undefined {
  const token = outline[at];
  if (typeof token !== 'object') return undefined;
  if (isMark(token, COMPARISONS)) return 'comparison';
  if (isMark(token, ['!'])) return 'not';
  if (token.kind !== 'word' || isText(outline, at) || isMark(outline[at + 1], COMPARISONS)) return undefined;
  const word = token.text.toLowerCase();
  if (word === 'and' || word === 'or' || word === 'not') return word;
  return word === 'like' && at > 0 ? 'comparison' : undefined;
}

/** After a comparison, any word is a text. */
function isText(outline: Outline, at: number): boolean {
  const previous = outline[at - 1];
  if (isWord(previous, 'like')) return operatorAt(outline, at - 1) === 'comparison';
  return isMark(previous, COMPARISONS);
}

/** Whether what follows an operand belongs to it: its arguments, or the arms of `case {…}` and `match {…}`. */
function continues(outline: Outline, at: number): boolean {
  if (outline[at] === 'arguments' || outline[at] === 'arms') return true;
  return isWord(outline[at], 'match') && outline[at + 1] === 'arms';
}

function expressionForm(outline: Outline): FragmentForm | undefined {
  let form: FragmentForm = 'one';
  let isOperandDue = true;
  for (const [at, token] of outline.entries()) {
    if (isMark(token, ['|', ';', ':=', '=', ','])) return undefined;
    if (isOperandDue && (isMark(token, ['-', '!']) || isWord(token, 'not'))) continue;
    if (isMark(token, OPERATORS)) {
      if (isOperandDue) return undefined;
      form = 'sum';
      isOperandDue = true;
    } else if (isOperandDue || continues(outline, at)) isOperandDue = false;
    else return undefined;
  }
  return isOperandDue ? undefined : form;
}

export function isMark(token: Outline[number] | undefined, marks: readonly string[]): boolean {
  return typeof token === 'object' && token.kind === 'mark' && marks.includes(token.text);
}

export function isWord(token: Outline[number] | undefined, word: string): boolean {
  return typeof token === 'object' && token.kind === 'word' && token.text.toLowerCase() === word;
}
