import type { FunctionKind, FunctionSignature, ParameterSignature, ValueForm } from './signature.ts';

/** What a parameter accepts, and how that is called. */
export type ParameterType = readonly [form: ValueForm | ValueForm['kind'], expects: string];

/**
 * A parameter. Its name ends with `!` if it is required, then with `*` if it can be unnamed, then with `[]` if it
 * accepts an array. The type is a name, `1..5` for an integer, `..5` for a limit, or `a|b` for one of several words.
 */
export type ParameterRow = readonly [
  name: string,
  type: string,
  defaultValue?: string | null,
  aliases?: readonly string[],
];

export type SignatureRow = readonly [
  name: string,
  kind: FunctionKind,
  parameters: readonly ParameterRow[],
  more?: Pick<FunctionSignature, 'aliases' | 'anyName' | 'output'>,
];

/** The signatures in a table. */
export function signaturesOf(
  types: Readonly<Record<string, ParameterType>>,
  rows: readonly SignatureRow[],
): readonly FunctionSignature[] {
  return rows.map(([name, kind, parameters, more]) => ({
    name,
    kind,
    parameters: parameters.map((row) => parameterOf(row, types)),
    ...more,
  }));
}

function parameterOf(
  [written, type, defaultValue, aliases]: ParameterRow,
  types: Readonly<Record<string, ParameterType>>,
): ParameterSignature {
  const [, name = '', required, unnamed, list] = /^(.*?)(!)?(\*)?(\[\])?$/.exec(written) ?? [];
  const [form, expects] = types[type] ?? typeOf(type);
  return {
    name,
    form: typeof form === 'string' ? ({ kind: form } as ValueForm) : form,
    expects,
    ...(required && { isRequired: true }),
    ...(unnamed && { isUnnamed: true }),
    ...(list && { isList: true }),
    ...(aliases && { aliases }),
    ...(defaultValue && { defaultValue }),
  };
}

/** A type that is described by its values. */
export function typeOf(text: string): ParameterType {
  const [, min = '', max] = /^(-?\d*)\.\.(\d+)$/.exec(text) ?? [];
  if (max === undefined) {
    const choices = text.split('|');
    return [{ kind: 'choice', choices }, `one of ${choices.join(', ')}`];
  }
  if (min === '') return [{ kind: 'limit', max: Number(max) }, `an integer from 1 to ${max}, or max`];
  return [{ kind: 'integer', min: Number(min), max: Number(max) }, `an integer from ${min} to ${max}`];
}
