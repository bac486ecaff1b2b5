import { tryOr } from '../../try-or.ts';

/** U+001D precedes the names that auditd adds to a line. */
const SPACE = `[ \\t\\u001d]+`;
const NAME = `[^\\s="{}\\[\\]\\u001d]+(?:\\[\\d+\\][^\\s="{}\\[\\]\\u001d]*)*`;
const QUOTED = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
const VALUE = `${QUOTED}|[^\\s"\\u001d]*`;
/** Two pairs or more; a name alone only follows a pair: a sentence with an equals sign is text. */
export const LOGFMT = `${NAME}=(?:${VALUE})(?:(?:${SPACE}${NAME})?${SPACE}${NAME}=(?:${VALUE}))+(?:${SPACE}${NAME})?\\s*$`;
/** The start of a line of auditd: its time is in a pair with the name of a message. */
export const AUDIT = /^(?:node=\S+ )?type=\S+ msg=audit\((\d+\.\d+):\d+\)/;
const LINE = new RegExp(`^${LOGFMT}`, 's');
const PAIR = new RegExp(`(${NAME})=(${VALUE})`, 'gs');

/** The pairs of a line of logfmt, such as `level=info msg="order placed"`; `undefined` for any other line. */
export function logfmtPairs(line: string): [name: string, value: string][] | undefined {
  return logfmtMatches(line)?.map(([, name, value]) => [name!, unquoted(value!)]);
}

/** The pairs as matches: the groups are name and value. */
export function logfmtMatches(line: string): readonly RegExpExecArray[] | undefined {
  return LINE.test(line) ? [...line.matchAll(PAIR)] : undefined;
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  const text = tryOr(undefined, () => JSON.parse(value) as string);
  // Other escapes than those of JSON.
  return text ?? value.slice(1, -1).replace(/\\(.)/gs, '$1');
}
