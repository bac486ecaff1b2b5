import { findFunction } from '../../src/query-engine/functions/registry.ts';
import { functionNames } from '../../src/query-engine/index.ts';
import type { FunctionSpec, Parameter } from '../../src/query-engine/signature/function-spec.ts';
import type { FunctionSignature, ParameterSignature } from '../../src/query-language/functions/signature.ts';
import { defaultOf } from './function-docs.ts';

/** The signatures of the engine's functions, as data. */
export function functionSignatures(): readonly FunctionSignature[] {
  return functionNames()
    .map((name) => signatureOf(findFunction(name)!))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function signatureOf({
  name,
  kind,
  aliases,
  parameters,
  anyNameType,
  output,
}: FunctionSpec): FunctionSignature {
  return {
    name,
    kind,
    ...(aliases.length > 0 && { aliases }),
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
