import { ArrayFields } from '../../src/query-engine/arrays/array-fields.ts';
import { unsupportedFunction } from '../../src/query-engine/compiler/unsupported-functions.ts';
import { findFunction } from '../../src/query-engine/functions/registry.ts';
import { aggregates } from '../../src/query-engine/signature/argument-types.ts';
import type { FunctionSpec, Parameter } from '../../src/query-engine/signature/function-spec.ts';
import { SERVICE_FUNCTIONS } from '../../src/query-language/function-names.ts';

const KINDS: readonly (readonly [FunctionSpec['kind'], string, string])[] = [
  ['filter', 'Filters', 'Keep events or drop them; true or false within an expression.'],
  [
    'value',
    'Functions with a value',
    'Compute one field. Within an expression, the call stands for its value; as a step of its own, it writes the field `as`.',
  ],
  ['transform', 'Transformations', 'Change events, drop them, or make several of one.'],
  ['aggregate', 'Aggregates', 'Make rows of all events.'],
  ['definition', 'Definitions', 'Say something about the whole query, and stand at its beginning.'],
];

/** The part of docs/query-language.md that the registry of functions tells. */
export function functionDocs(names: readonly string[]): string {
  const specs = names.map((name) => findFunction(name)!).sort((a, b) => (a.name < b.name ? -1 : 1));
  const sections = KINDS.map(([kind, title, meaning]) => {
    const entries = specs.filter((spec) => spec.kind === kind).map(functionEntry);
    return [`### ${title}`, meaning, ...entries].join('\n\n');
  });
  const partial = specs.filter((spec) => spec.partial.length > 0);
  return [
    summary(specs, partial),
    ...sections,
    '### Functions that are refused',
    SERVICE_FUNCTIONS.filter((name) => findFunction(name) === undefined)
      .sort()
      .map((name) => `- ${unsupportedFunction(name)}.`)
      .join('\n'),
  ].join('\n\n');
}

function summary(specs: readonly FunctionSpec[], partial: readonly FunctionSpec[]): string {
  return [
    `${specs.length} functions are supported, ${partial.length} of them with a part missing: ${quoted(partial.map(({ name }) => name))}.`,
    'A parameter marked with * may be written without its name. Names of functions are found without regard to case.',
  ].join('\n\n');
}

function functionEntry(spec: FunctionSpec): string {
  const { name, aliases, output, partial, uncertain, parameters, anyNameType } = spec;
  const lines = [`#### ${name}`];
  if (aliases.length > 0) lines.push(`Also called ${quoted(aliases)}.`);
  if (anyNameType !== undefined)
    lines.push(`Takes \`name=value\` with any name; a value is ${anyNameType.expects}.`);
  const rows = Object.entries(parameters).map(([parameter, about]) => parameterRow(parameter, about, output));
  if (rows.length > 0)
    lines.push(['| parameter | default | takes |', '| --- | --- | --- |', ...rows].join('\n'));
  else if (anyNameType === undefined) lines.push('Takes no arguments.');
  if (partial.length > 0) lines.push(`Not as on the service: ${partial.join(' ')}`);
  if (uncertain.length > 0) lines.push(`Decided here, as the service does not say: ${uncertain.join(' ')}`);
  return lines.join('\n\n');
}

function parameterRow(name: string, parameter: Parameter<unknown>, output: string | undefined): string {
  const mark = parameter.isUnnamed ? '*' : '';
  const aliases = parameter.aliases.map((alias) => ` or \`${alias}\``).join('');
  return `| \`${name}\`${mark}${aliases} | ${name === 'as' && output !== undefined ? outputText(output) : defaultOf(parameter)} | ${parameter.type.expects.replaceAll('|', '\\|')} |`;
}

/** What a function writes without `as`. */
function outputText(output: string): string {
  return output === 'field' ? 'the field that it reads' : `\`${output}\``;
}

function defaultOf({ type, isRequired, absent }: Parameter<unknown>): string {
  if (isRequired) return 'required';
  if (type === aggregates) return absent === undefined ? '' : '`count()`';
  return valueText(absent);
}

function valueText(value: unknown): string {
  if (value instanceof ArrayFields) return `\`${value.name}[]\``;
  if (typeof value === 'string') return value === '' ? '`""`' : `\`${JSON.stringify(value).slice(1, -1)}\``;
  if (typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``;
  if (Array.isArray(value)) return `\`[${value.join(', ')}]\``;
  return '';
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
