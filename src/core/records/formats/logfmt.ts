const NAME = '[^\\s="{}\\[\\]]+';
const QUOTED = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';
/** At least two pairs, and nothing else: a sentence with an equals sign is text. */
const LINE = new RegExp(
  `^${NAME}=(?:${QUOTED}|[^\\s"]*)(?:[ \\t]+${NAME}=(?:${QUOTED}|[^\\s"]*))+\\s*$`,
  's',
);
const PAIR = new RegExp(`(${NAME})=(${QUOTED}|[^\\s"]*)`, 'gs');

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
  try {
    return JSON.parse(value) as string;
  } catch {
    // Other escapes than those of JSON.
    return value.slice(1, -1).replace(/\\(.)/gs, '$1');
  }
}
