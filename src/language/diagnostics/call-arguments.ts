import { readDuration } from '../../core/duration.ts';
import { tryOr } from '../../core/try-or.ts';
import type { ArgumentNode, AssignmentNode, CallNode, QueryNode } from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { findParameter, findSignature, unnamedParameter } from '../functions/find-function.ts';
import type { ParameterSignature, ValueForm } from '../functions/signature.ts';

/** The values of a parameter in a call: several if unnamed arguments form an array. */
export function valuesOf(call: CallNode, parameter: string): readonly ValueNode[] {
  return call.arguments
    .filter((argument) => parameterOf(argument, call)?.name === parameter)
    .map(({ value }) => value);
}

/** The name of the function that a step calls, as the service spells it. */
export function nameOf(step: QueryNode | undefined): string | undefined {
  return step?.kind === 'Call' ? findSignature(step.name)?.name : undefined;
}

/** The parameter that an argument sets. */
export function parameterOf({ name }: ArgumentNode, call: CallNode): ParameterSignature | undefined {
  const signature = findSignature(call.name);
  if (signature === undefined) return undefined;
  return name === undefined ? unnamedParameter(signature) : findParameter(signature, name.name);
}

export function hasParameter({ name }: CallNode, parameter: string): boolean {
  return findSignature(name)?.parameters.some((one) => one.name === parameter) === true;
}

/** The text of a single value; `undefined` without the argument, or if its value is not text. */
export function textArgument(call: CallNode, parameter: string): string | undefined {
  const [value] = valuesOf(call, parameter);
  return value && textOf(value);
}

/** The names in `a`, `[a, b]` or `a, b`; `undefined` if one of them depends on a parameter of the query. */
export function namesIn(values: readonly ValueNode[]): readonly string[] | undefined {
  const names = elementsOf(values).map((value) => textOf(value));
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** The members of arrays, and the other values. */
export function elementsOf(values: readonly ValueNode[]): readonly ValueNode[] {
  return values.flatMap((value): readonly ValueNode[] => (value.kind === 'Array' ? value.elements : [value]));
}

export type ValueNode = ArgumentNode['value'] | AssignmentNode;

/** True unless the value is certainly wrong for the parameter. Parameters of the query can have any value. */
export function fitsParameter({ form, isList, expects }: ParameterSignature, value: ValueNode): boolean {
  if (value.kind === 'Parameter') return true;
  if (form.kind === 'other') return fitsWords(expects, textOf(value));
  if (isList === true && value.kind === 'Array')
    return value.elements.every((element) => element.kind === 'Parameter' || fitsForm(form, element));
  return fitsForm(form, value);
}

/** Some words ignore case, so they are no `choice`. */
function fitsWords(expects: string, text: string | undefined): boolean {
  const [, words] = /^one of (.*)$/.exec(expects) ?? [];
  return words === undefined || (text !== undefined && words.split(', ').includes(text.toLowerCase()));
}

function fitsForm(form: ValueForm, value: ValueNode): boolean {
  switch (form.kind) {
    case 'expression':
      return value.kind !== 'Regex' && value.kind !== 'Array';
    case 'filter':
      return value.kind === 'Call' || value.kind === 'Subquery' || value.kind === 'SavedQuery';
    case 'steps':
      return value.kind === 'Call' || value.kind === 'Subquery';
    case 'query':
      return value.kind === 'Subquery' || value.kind === 'SavedQuery';
    case 'aggregate':
      return ['Array', 'Subquery', 'SavedQuery'].includes(value.kind) || value.kind === 'Call';
    case 'regex':
      return value.kind === 'Regex' || textOf(value) !== undefined;
    case 'other':
      return true;
    default: {
      const text = textOf(value);
      return text !== undefined && fitsText(form, text);
    }
  }
}

function fitsText(form: ValueForm, text: string): boolean {
  const number = isNumberText(text) ? Number(text) : undefined;
  switch (form.kind) {
    case 'number':
      return number !== undefined;
    case 'integer':
      return number !== undefined && Number.isInteger(number) && number >= form.min && number <= form.max;
    case 'limit':
      return text === 'max' || (number !== undefined && Number.isInteger(number) && number >= 1);
    case 'flag':
      return /^(?:true|false)$/i.test(text);
    case 'order':
      return text !== '' && ['ascending', 'descending'].some((word) => word.startsWith(text.toLowerCase()));
    case 'choice':
      return form.choices.includes(text);
    case 'duration':
      return (readDuration(text) ?? 0) > 0;
    case 'span':
      return text === 'auto' || (readDuration(text.replace(/^\s*calendar:/, '')) ?? 0) > 0;
    case 'timeZone':
      return isTimeZone(text);
    case 'regexFlags':
      return /^[imdF]*$/.test(text);
    default:
      return true;
  }
}

/** Includes offsets such as `+02:00`. */
export function isTimeZone(text: string): boolean {
  if (/^(?:Z|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?)$/i.test(text)) return true;
  return tryOr(undefined, () => new Intl.DateTimeFormat('en', { timeZone: text })) !== undefined;
}

/** The text of a word, a string or a negative number. */
export function textOf(value: ValueNode): string | undefined {
  if (value.kind === 'Bareword') return value.text;
  if (value.kind === 'String') return value.value;
  if (value.kind !== 'Unary' || value.operator !== '-') return undefined;
  const operand = textOf(value.operand);
  return operand !== undefined && isNumberText(operand) ? `-${operand}` : undefined;
}
