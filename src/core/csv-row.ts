/** What separates cells, and the ends of one without quotes, and of one with quotes after these. */
const ENDS = { ',': endsOf(','), ';': endsOf(';'), '\t': endsOf('\t') };
export type Separator = keyof typeof ENDS;

/**
 * The cells of the row of a CSV file at a position, and where the next one starts: optional double quotes, whitespace kept,
 * any newlines. A trailing newline does not start another row. `unclosed`: more text may close a quote; `unmatched`:
 * other text follows one.
 */
export function csvRowAt(
  text: string,
  start: number,
  separator: Separator = ',',
): { readonly cells: readonly string[]; readonly end: number } | 'unclosed' | 'unmatched' {
  const cells: string[] = [];
  for (let at = start; ; ) {
    const cell = at;
    const isQuoted = text[cell] === '"';
    if (isQuoted) at = endOfQuotes(text, cell);
    if (at === -1) return 'unclosed';
    const sign = ENDS[separator][isQuoted ? 'quoted' : 'plain'];
    sign.lastIndex = at;
    const end = sign.exec(text);
    if (end === null) return 'unmatched';
    cells.push(isQuoted ? text.slice(cell + 1, at - 1).replaceAll('""', '"') : text.slice(cell, end.index));
    at = end.index + end[0].length;
    if (!end[0].endsWith(separator)) return { cells, end: at };
  }
}

function endsOf(separator: string) {
  const ends = `(?:${separator}|\\r\\n|\\r|\\n|$)`;
  return { plain: new RegExp(ends, 'g'), quoted: new RegExp(` *${ends}`, 'y') };
}

/** The position after the closing quote; -1 if there is none. */
function endOfQuotes(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return -1;
}
