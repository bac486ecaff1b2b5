import type { FunctionKind, FunctionSignature, ParameterSignature, ValueForm } from './signature.ts';

/** What a parameter accepts, and how that is called. */
export type ParameterType = readonly [form: ValueForm | ValueForm['kind'], expects: string];

type Types = Readonly<Record<string, ParameterType>>;

/**
 * The signatures in a table with a signature per line: `name,name kind>output parameter; parameter`. `_*` is the name of
 * the function after `_`, without its namespace.
 *
 * A parameter is `name:type=default/alias`. Its name ends with `!` if it is required, then with `*` if it can be unnamed,
 * then with `[]` if it accepts an array, `+` if it is repeated. The type is a name, `1..5` for an integer, `..5` for a
 * limit, or `a|b` for one of several words; without one, it is `field`. After `=` is what arguments of any name must be.
 */
export function signaturesOf(types: Types, table: string): readonly FunctionSignature[] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [names = ''] = line.split(' ', 1);
      return names.split(',').map((name) => signatureOf(name, line.slice(names.length), types));
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function signatureOf(name: string, line: string, types: Types): FunctionSignature {
  const own = line.replaceAll('_*', `_${name.replace(/^\w+:/, '')}`);
  const [, kind, output, anyName, rest] = SIGNATURE.exec(own)!;
  return {
    name,
    kind: kind as FunctionKind,
    parameters: rest?.split('; ').map((text) => parameterOf(text, types)) ?? [],
    ...(output && { output }),
    ...(anyName && { anyName }),
  };
}

/** Follows what an element of an array must be. */
export const OR_ARRAY = ' or an array of these';

const SIGNATURE = /^ (\w+)(?:>(\S+))?(?: =(.*)| (.*))?$/;
const PARAMETER = /^(.*?)(!)?(\*)?(\[\]|\+)?(?::([^=/]+))?(?:=(.*?))?(?:\/(\w+))?$/;

function parameterOf(text: string, types: Types): ParameterSignature {
  const [, name = '', required, unnamed, list, type = 'field', defaultValue, alias] = PARAMETER.exec(text)!;
  const [form, expects] = types[type] ?? typeOf(type);
  return {
    name,
    form: typeof form === 'string' ? ({ kind: form } as ValueForm) : form,
    expects: list === '[]' ? expects + OR_ARRAY : expects,
    ...(required && { isRequired: true }),
    ...(unnamed && { isUnnamed: true }),
    ...(list && { isList: true }),
    ...(alias && { aliases: [alias] }),
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
