import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type * as z from 'zod/v4';
import { isJsonObject } from '../../core/json-object.ts';
import { nearestName } from '../../core/nearest-name.ts';

/** Names that callers use for the argument "query". */
const ALIAS = 'filter';

/** Other names for arguments, too different from them to be typos. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  search: 'query',
  text: 'query',
  since: 'start',
  from: 'start',
  until: 'end',
  to: 'end',
  ref: 'id',
  event: 'id',
  request_id: 'trace_id',
  columns: 'fields',
  limit: 'maxTokens',
  name: 'topic',
};

/** The schema of a tool, which also accepts "filter" for "query", and names the argument that an unknown one may mean. */
export function toolInput(schema: z.ZodObject): StandardSchemaWithJSON {
  const standard = schema['~standard'];
  const names = Object.keys(schema.shape);
  const required = names.filter((name) => schema.shape[name]?.safeParse(undefined).success === false);
  return {
    '~standard': {
      ...standard,
      validate: (input: unknown) => {
        const args = withoutAlias(input, names);
        const unknown = problemsOf(args, names);
        const missing = required.filter((name) => !isJsonObject(args) || args[name] === undefined);
        const problems = unknown.length > 0 ? unknown : missing.map((name) => `"${name}" is missing`);
        return problems.length > 0
          ? { issues: problems.map((message) => ({ message })) }
          : standard.validate(args);
      },
    },
  };
}

function withoutAlias(input: unknown, names: readonly string[]): unknown {
  if (!isJsonObject(input) || !names.includes('query') || !(ALIAS in input) || 'query' in input) return input;
  const { [ALIAS]: query, ...rest } = input;
  return { ...rest, query };
}

function problemsOf(args: unknown, names: readonly string[]): string[] {
  if (!isJsonObject(args)) return [];
  return Object.keys(args)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = meantName(name, names);
      const hint =
        meant === undefined ? `The arguments are ${names.join(', ')}.` : `Did you mean "${meant}"?`;
      return `there is no argument ${JSON.stringify(name.slice(0, 60))}. ${hint}`;
    });
}

function meantName(name: string, names: readonly string[]): string | undefined {
  if (name === ALIAS && names.includes('query')) return 'query';
  const lower = name.toLowerCase();
  const other = Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined;
  if (other !== undefined && names.includes(other)) return other;
  const longer = lower.length < 3 ? undefined : names.find((each) => each.toLowerCase().startsWith(lower));
  return longer ?? nearestName(name, names);
}
