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
  if (!LINE.test(line)) return undefined;
  const pairs: [string, string][] = [];
  PAIR.lastIndex = 0;
  for (let match = PAIR.exec(line); match !== null; match = PAIR.exec(line)) {
    pairs.push([match[1]!, unquoted(match[2]!)]);
  }
  return pairs;
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
