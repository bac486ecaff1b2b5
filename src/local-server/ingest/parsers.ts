import type { StoredEvent } from '../stored-event.ts';
import { parseAccessLog } from './access-log.ts';
import type { Instant } from './instant.ts';
import { parseJsonLine } from './json-line.ts';
import { parseKeyValues } from './key-values.ts';
import { LineError } from './line-error.ts';

/** What a parser makes of a line. */
export interface ParsedLine {
  /** The time that the line itself names. */
  readonly instant?: Instant | undefined;
  readonly fields: StoredEvent;
}

/** @throws LineError when the line is not what the parser is for. */
export type LineParser = (line: string) => ParsedLine;

const PARSERS: ReadonlyMap<string, LineParser> = new Map<string, LineParser>([
  ['kv', parseKeyValues],
  ['json', parseJsonLine],
  ['accesslog', parseAccessLog],
  // What the service calls a stream without a parser.
  ['none', () => ({ fields: {} })],
]);

/** The names of the parsers that there are. */
export const PARSER_NAMES: readonly string[] = [...PARSERS.keys()].filter((name) => name !== 'none');

/** Runs a parser. A failure does not fail the request: it becomes fields of the event, as on the service. */
export function applyParser(name: string, line: string): ParsedLine {
  const parser = PARSERS.get(name);
  if (parser === undefined) {
    return failure(`There is no parser "${name}". This local server has: ${PARSER_NAMES.join(', ')}.`);
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
