import { tryOr } from '../../try-or.ts';

const NAME = '[^\\s="{}\\[\\]]+(?:\\[\\d+\\][^\\s="{}\\[\\]]*)*';
const QUOTED = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
const VALUE = `${QUOTED}|[^\\s"]*`;
/** Two pairs or more; a name alone only follows a pair: a sentence with an equals sign is text. */
export const LOGFMT = `${NAME}=(?:${VALUE})(?:(?:[ \\t]+${NAME})?[ \\t]+${NAME}=(?:${VALUE}))+(?:[ \\t]+${NAME})?\\s*$`;
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
