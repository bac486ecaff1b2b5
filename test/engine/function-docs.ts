import { rowsText } from '../../docs/site/.vitepress/theme/rows-text.ts';
import { ArrayFields } from '../../src/engine/arrays/array-fields.ts';
import { findFunction } from '../../src/engine/functions/registry.ts';
import type { Fields } from '../../src/engine/index.ts';
import { aggregates, durationMs, sortOrder } from '../../src/engine/signature/argument-types.ts';
import type { FunctionSpec, Parameter } from '../../src/engine/signature/function-spec.ts';
import { SERVICE_FUNCTIONS } from '../../src/language/function-names.ts';
import type { FunctionDoc } from '../../src/language/functions/docs/function-doc.ts';
import { FUNCTION_GROUPS } from '../../src/language/functions/docs/index.ts';
import { unsupportedFunction } from '../../src/language/functions/find-function.ts';
import { EXAMPLE_EVENTS } from './example-events.ts';
import { exampleRun, shownExample } from './function-example.ts';
import { SAMPLE_EVENTS, SAMPLE_FILES } from './sample-data.ts';

/** What the functions of a group have in common. */
const INTROS: Readonly<Record<string, readonly string[]>> = {
  'Running totals and neighboring rows': [
    'These functions depend on the order of rows, so they must follow an aggregate such as `head()` or `sort()`.',
  ],
};

const KINDS: Readonly<Record<FunctionSpec['kind'], string>> = {
  filter: 'Filter',
  value: 'Value',
  transform: 'Transformation',
  aggregate: 'Aggregate',
  definition: 'Definition',
};

/** The generated part of docs/functions.md. */
export function functionPage(): string {
  const names = FUNCTION_GROUPS.flatMap(({ functions }) => Object.keys(functions));
  const partial = names.filter((name) => findFunction(name)!.partial.length > 0);
  return [
    '## Index',
    FUNCTION_GROUPS.map(indexLine).join('\n'),
    `The local server supports ${names.length} functions. ${partial.length} of them differ from the service in known ways: ${partial.map(linkTo).join(', ')}.`,
    '## Sample events',
    'Examples without an input run on these requests. The search interval is the three minutes from the first request.',
    textBlock(SAMPLE_EVENTS),
    'The examples can use one lookup file:',
    Object.entries(SAMPLE_FILES)
      .map(([name, lines]) => `\`${name}\`:\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``)
      .join('\n\n'),
    'The examples of [ipLocation](#iplocation), [asn](#asn), [reverseDns](#reversedns) and [ioc:lookup](#ioclookup) use made-up reference data in which only 198.51.100.7 is known.',
    ...FUNCTION_GROUPS.flatMap(({ title, functions }) => [
      `## ${title}`,
      ...(INTROS[title] ?? []),
      ...Object.entries(functions).map(([name, doc]) => functionEntry(findFunction(name)!, doc)),
    ]),
    '## Unsupported functions',
    'A query that calls one of these functions fails:',
    SERVICE_FUNCTIONS.filter((name) => findFunction(name) === undefined)
      .sort()
      .map((name) => `- ${unsupportedFunction(name)}.`)
      .join('\n'),
  ].join('\n\n');
}

function indexLine({ title, functions }: (typeof FUNCTION_GROUPS)[number]): string {
  return `- **${title}**: ${Object.keys(functions).map(linkTo).join(', ')}`;
}

function linkTo(name: string): string {
  return `[${name}](#${name.toLowerCase().replaceAll(':', '')})`;
}

function functionEntry(spec: FunctionSpec, doc: FunctionDoc): string {
  const { name, kind, partial, uncertain, parameters, anyNameType } = spec;
  const lines = [`### ${name}`, `_${KINDS[kind]}._ ${doc.sentence}`];
  if (anyNameType !== undefined)
    lines.push(`Accepts \`name=value\` arguments with any name; each value is ${anyNameType.expects}.`);
  const rows = Object.entries(parameters).map(([parameter, about]) => parameterRow(parameter, about, spec));
  if (rows.length > 0)
    lines.push(['| Parameter | Default | Value |', '| --- | --- | --- |', ...rows].join('\n'));
  lines.push(...exampleBlocks(name, doc));
  if (partial.length > 0) lines.push(`**Differs from the service:** ${partial.join(' ')}`);
  if (uncertain.length > 0)
    lines.push(`**Local behavior (undocumented on the service):** ${uncertain.join(' ')}`);
  return lines.join('\n\n');
}

function exampleBlocks(name: string, doc: FunctionDoc): string[] {
  const events = EXAMPLE_EVENTS[name] ?? [];
  return [
    ...(events.length > 0 ? ['Input:', textBlock(events)] : []),
    `\`\`\`lql\n${shownExample(name, doc)}\n\`\`\``,
    textBlock(exampleRun(name, doc).rows()),
  ];
}

function textBlock(rows: readonly Fields[]): string {
  return `\`\`\`text\n${rowsText(rows)}\n\`\`\``;
}

function parameterRow(name: string, parameter: Parameter<unknown>, spec: FunctionSpec): string {
  const mark = parameter.isUnnamed ? '*' : '';
  const aliases = parameter.aliases.map((alias) => ` or \`${alias}\``).join('');
  const isOutput = name === 'as' && spec.kind === 'value' && !parameter.isRequired;
  const absent = isOutput ? outputText(spec.output) : defaultOf(parameter);
  return `| \`${name}\`${mark}${aliases} | ${absent} | ${parameter.type.expects.replaceAll('|', '\\|')} |`;
}

/** The output field of a function without `as`. */
function outputText(output: string | undefined): string {
  if (output === undefined) return 'required in a step';
  return output === 'field' ? 'the input field' : `\`${output}\``;
}

/** The default of a parameter as Markdown. */
export function defaultOf({ type, isRequired, absent }: Parameter<unknown>): string {
  if (isRequired) return 'required';
  if (type === aggregates) return absent === undefined ? '' : '`count()`';
  if (type === sortOrder && absent !== undefined) return absent === 1 ? '`asc`' : '`desc`';
  if (type === durationMs && absent !== undefined) return `\`${Number(absent) / 60_000}m\``;
  return valueText(absent);
}

function valueText(value: unknown): string {
  if (value instanceof ArrayFields) return `\`${value.name}[]\``;
  if (typeof value === 'string') return value === '' ? '`""`' : `\`${JSON.stringify(value).slice(1, -1)}\``;
  if (typeof value === 'number' || typeof value === 'boolean') return `\`${value}\``;
  if (Array.isArray(value)) return `\`[${value.join(', ')}]\``;
  return '';
}
