import type { ArgumentNode, CallNode } from '../ast.ts';
import { findParameter, findSignature, unnamedParameter } from '../functions/find-function.ts';
import type { ParameterSignature } from '../functions/signature.ts';
import { textOf, type ValueNode } from './value-forms.ts';

/** The values of a parameter in a call: several if unnamed arguments form an array. */
export function valuesOf(call: CallNode, parameter: string): readonly ValueNode[] {
  return call.arguments
    .filter((argument) => parameterOf(argument, call)?.name === parameter)
    .map(({ value }) => value);
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
  const names: string[] = [];
  for (const value of elementsOf(values)) {
    const name = textOf(value);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return names;
}

/** The members of arrays, and the other values. */
export function elementsOf(values: readonly ValueNode[]): readonly ValueNode[] {
  return values.flatMap((value): readonly ValueNode[] => (value.kind === 'Array' ? value.elements : [value]));
}
