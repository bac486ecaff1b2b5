import { findFunction } from '../../src/engine/functions/registry.ts';
import { functionNames } from '../../src/engine/index.ts';
import type { FunctionSpec, Parameter } from '../../src/engine/signature/function-spec.ts';
import type {
  FunctionSignature,
  ParameterSignature,
  ValueForm,
} from '../../src/language/functions/signature.ts';
import { OR_ARRAY, type ParameterType, typeOf } from '../../src/language/functions/signature-table.ts';
import { defaultOf } from './function-docs.ts';

/** The signatures of the engine's functions, as data. */
export function functionSignatures(): readonly FunctionSignature[] {
  return functionNames()
    .map((name) => signatureOf(findFunction(name)!))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function signatureOf({ name, kind, parameters, anyNameType, output }: FunctionSpec): FunctionSignature {
  return {
    name,
    kind,
    ...(anyNameType !== undefined && { anyName: anyNameType.expects }),
    ...(output !== undefined && { output }),
    parameters: Object.entries(parameters).map(([parameter, about]) => parameterOf(parameter, about)),
  };
}

function parameterOf(name: string, parameter: Parameter<unknown>): ParameterSignature {
  const { type, isRequired, isUnnamed, aliases } = parameter;
  const defaultValue = isRequired ? '' : defaultOf(parameter).replaceAll('`', '');
  return {
    name,
    form: type.form ?? { kind: 'other' },
    expects: type.expects,
    ...(isRequired && { isRequired }),
    ...(isUnnamed && { isUnnamed }),
    ...(type.isList && { isList: true }),
    ...(aliases.length > 0 && { aliases }),
    ...(defaultValue !== '' && { defaultValue }),
  };
}

/** The source of the table of signatures. */
export function signatureSource(): string {
  const types = new Map<string, ParameterType>();
  const names = new Map<string, string[]>();
  for (const { name, kind, parameters, output, anyName } of functionSignatures()) {
    const written = parameters.map((parameter) => parameterText(parameter, types));
    const all = anyName === undefined ? written : [`=${anyName}`];
    const own = new RegExp(`(?<=[>=])_${name.replace(/^\w+:/, '')}(?= |;|$)`, 'g');
    const text = `${output === undefined ? kind : `${kind}>${output}`} ${all.join('; ')}`.trim();
    const signature = text.replace(own, '_*');
    names.set(signature, [...(names.get(signature) ?? []), name]);
  }
  const rows = [...names].map(([signature, all]) => `${all.join(',')} ${signature}`);
  return [
    '// Generated from the engine: npx vitest run test/engine/function-signatures.test.ts -u',
    "import { signaturesOf } from './signature-table.ts';",
    '',
    '/** The functions of the query language, by name. */',
    '// biome-ignore format: one line per type and per signature',
    'export const SIGNATURES = signaturesOf({',
    ...[...types].map(([name, type]) => `  ${name}: ${JSON.stringify(type)},`),
    '}, String.raw`',
    ...rows,
    '`);',
    '',
  ].join('\n');
}

function parameterText(parameter: ParameterSignature, types: Map<string, ParameterType>): string {
  const { name, form, expects, isRequired, isUnnamed, isList, aliases = [], defaultValue } = parameter;
  const marks = `${isRequired ? '!' : ''}${isUnnamed ? '*' : ''}${isList ? (expects.endsWith(OR_ARRAY) ? '[]' : '+') : ''}`;
  const type = typeName(form, isList ? expects.replace(OR_ARRAY, '') : expects, types);
  const end = [defaultValue === undefined ? '' : `=${defaultValue}`, ...aliases].join('/');
  return `${name}${marks}${type === 'field' ? '' : `:${type}`}${end}`;
}

/** The name of a type, or its values if they describe it. */
function typeName(form: ValueForm, expects: string, types: Map<string, ParameterType>): string {
  const values =
    form.kind === 'choice'
      ? form.choices.join('|')
      : form.kind === 'integer'
        ? `${form.min}..${form.max}`
        : form.kind === 'limit'
          ? `..${form.max}`
          : '';
  if (values !== '' && typeOf(values)[1] === expects) return values;
  const isPlain = Object.keys(form).length === 1;
  const type: ParameterType = [isPlain ? form.kind : form, expects];
  for (let count = 1; ; count++) {
    const name = count === 1 ? form.kind : `${form.kind}${count}`;
    if (!types.has(name)) types.set(name, type);
    if (JSON.stringify(types.get(name)) === JSON.stringify(type)) return name;
  }
}
