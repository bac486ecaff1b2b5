import { parseAccessLog } from './access-log.ts';
import { parseJsonLine } from './json-line.ts';
import { parseKeyValues } from './key-values.ts';
import type { ParsedLine } from './parsed-line.ts';
import { SYSLOG_SCRIPT } from './syslog-script.ts';

interface ParserSummary {
  readonly name: string;
  readonly description: string;
}

/** A parser that every repository has: code of the server's own, or a script in the query language. */
export type BuiltInParser = ParserSummary &
  (
    | {
        /** @throws LineError when the line is not what the parser is for. */
        readonly parse: (line: string) => ParsedLine;
      }
    | { readonly script: string }
  );

export const BUILT_IN_PARSERS: readonly BuiltInParser[] = [
  {
    name: 'accesslog',
    description: 'Lines of a web server in the common or combined format.',
    parse: parseAccessLog,
  },
  {
    name: 'audit-log',
    description: "The service's own audit log: one JSON object for each event.",
    parse: parseJsonLine,
  },
  { name: 'json', description: 'One JSON object for each event.', parse: parseJsonLine },
  {
    name: 'json-for-action',
    description: 'Events that an action sends: JSON with the time of the event in @timestamp.',
    parse: parseJsonLine,
  },
  { name: 'kv', description: 'Text with key=value pairs in it.', parse: parseKeyValues },
  {
    name: 'syslog',
    description: 'Lines of syslog, in the form of RFC 3164 or RFC 5424. A time without an offset is in UTC.',
    script: SYSLOG_SCRIPT,
  },
  {
    name: 'syslog-utc',
    description: 'Lines of syslog, in the form of RFC 3164 or RFC 5424. A time without an offset is in UTC.',
    script: SYSLOG_SCRIPT,
  },
];

/** What the service uses where nothing names a parser that there is. */
export const DEFAULT_PARSER = 'kv';
