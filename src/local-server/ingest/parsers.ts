import { parseAccessLog } from './access-log.ts';
import { parseJsonLine } from './json-line.ts';
import { parseKeyValues } from './key-values.ts';
import { LineError } from './line-error.ts';
import type { ParsedLine } from './parsed-line.ts';

/** A parser that every repository has. */
export interface BuiltInParser {
  readonly name: string;
  readonly description: string;
  /** @throws LineError when the line is not what the parser is for. */
  readonly parse: (line: string) => ParsedLine;
}

export const BUILT_IN_PARSERS: readonly BuiltInParser[] = [
  {
    name: 'accesslog',
    description: 'Lines of a web server in the common or combined format.',
    parse: parseAccessLog,
  },
  { name: 'json', description: 'One JSON object for each event.', parse: parseJsonLine },
  { name: 'kv', description: 'Text with key=value pairs in it.', parse: parseKeyValues },
];

/** What the service uses where nothing names a parser that there is. */
export const DEFAULT_PARSER = 'kv';

const PARSERS: ReadonlyMap<string, BuiltInParser['parse']> = new Map([
  ...BUILT_IN_PARSERS.map(({ name, parse }) => [name, parse] as const),
  // What the service calls a stream without a parser.
  ['none', () => ({ fields: {} })] as const,
]);

export function hasParser(name: string | undefined): boolean {
  return name !== undefined && PARSERS.has(name);
}

/** Runs a parser. A failure does not fail the request: it becomes fields of the event, as on the service. */
export function applyParser(name: string, line: string): ParsedLine {
  const parser = PARSERS.get(name);
  if (parser === undefined) {
    const names = BUILT_IN_PARSERS.map((known) => known.name).join(', ');
    return failure(
      `There is no parser ${JSON.stringify(name.slice(0, 100))}. This local server has: ${names}.`,
    );
  }
  try {
    return parser(line);
  } catch (error) {
    if (error instanceof LineError) return failure(error.message);
    throw error;
  }
}

function failure(message: string): ParsedLine {
  return { fields: { '@error': 'true', '@event_parsed': 'false', '@error_msg': message } };
}
