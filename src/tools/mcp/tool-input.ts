import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { isJsonObject } from '../../core/json-object.ts';
import { meantName } from '../../core/nearest-name.ts';
import { synonymOf } from '../output/flag-names.ts';
import { TIME, wrongValue } from './arguments.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments, each with other names that are too different to be typos. */
const SYNONYMS: readonly string[] = [
  'query filter search text',
  'start since from',
  'end until to',
  'id ref event',
  'trace_id request_id',
  'fields columns',
  'maxTokens limit',
  'topic name',
];

/** What clients read of a schema. {@link argumentsOf} checks the arguments, so that its errors are errors of the tool. */
export function describedInput(schema: z.ZodObject): StandardSchemaWithJSON {
  return { '~standard': { ...schema['~standard'], validate: (value) => ({ value }) } };
}

/** The checked arguments of a call, with "filter" as another name of "query". @throws Error for each that is wrong */
export function argumentsOf<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.infer<Schema> {
  const names = Object.keys(schema.shape);
  const { filter, ...others }: Arguments = isJsonObject(input) ? input : {};
  const isAlias = filter !== undefined && names.includes('query') && !('query' in others);
  const args = filter === undefined ? others : { ...others, [isAlias ? 'query' : 'filter']: filter };
  const unknown = unknownArguments(args, names);
  if (unknown.length > 0) throw new Error(unknown.join(' '));
  const { data, error } = schema.safeParse(args);
  if (error === undefined) return data;
  const { properties } = z.toJSONSchema(schema, { io: 'input' });
  const wrong = new Set(error.issues.map(({ path }) => String(path[0])));
  const problems = Array.from(wrong, (name) => {
    const expected = properties![name] as Expected;
    if (args[name] === undefined) return `"${name}" is missing. ${expected.description}`;
    return wrongValue(name, inWords(expected), args[name]);
  });
  throw new Error(problems.join(' '));
}

type Expected = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

/** What a value must be. */
function inWords({ type, enum: values, pattern, minLength, ...limits }: Expected): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (type === 'integer') return `a whole number from ${limits.minimum} to ${limits.maximum}`;
  if (type === 'array') return `a list of ${limits.minItems} to ${limits.maxItems} names`;
  if (type !== 'string') return TIME;
  if (pattern !== undefined) return 'an ID of 3 to 200 letters, digits and . : / @ # = + - _';
  return minLength === undefined ? 'a string' : 'a name';
}

function unknownArguments(args: Arguments, names: readonly string[]): string[] {
  return Object.keys(args)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const other = synonymOf(name.toLowerCase(), names, SYNONYMS);
      const hint = meantName(other ?? name, names, `The arguments are ${names.join(', ')}.`);
      return `there is no argument ${JSON.stringify(name.slice(0, 60))}. ${hint}`;
    });
}
