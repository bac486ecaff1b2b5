import type { ArgumentNode, CallNode } from '../ast.ts';
import { findParameter, findSignature, unnamedParameter } from '../functions/find-function.ts';
import { textOf, type ValueNode } from './value-forms.ts';

/** The values of a parameter in a call: several if unnamed arguments form an array. */
export function valuesOf(call: CallNode, parameter: string): readonly ValueNode[] {
  return argumentsOf(call, parameter).map(({ value }) => value);
}

function argumentsOf(call: CallNode, parameter: string): readonly ArgumentNode[] {
  const signature = findSignature(call.name);
  if (signature === undefined) return [];
  return call.arguments.filter(({ name }) => {
    const meant = name === undefined ? unnamedParameter(signature) : findParameter(signature, name.name);
    return meant?.name === parameter;
  });
}

/** The text of a single value; `undefined` without the argument, or if its value is not text. */
export function textArgument(call: CallNode, parameter: string): string | undefined {
  const [value] = valuesOf(call, parameter);
  return value && textOf(value);
}

/** The names in `a`, `[a, b]` or `a, b`; `undefined` if one of them depends on a parameter of the query. */
export function namesIn(values: readonly ValueNode[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const value of values.flatMap((one): readonly ValueNode[] =>
    one.kind === 'Array' ? one.elements : [one],
  )) {
    const name = textOf(value);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}
