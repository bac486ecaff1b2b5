const END_OF_CELL = /,|\r\n|\r|\n|$/g;
const REST_OF_QUOTED_CELL = / *(?:,|\r\n|\r|\n|$)/y;

/**
 * The rows of a CSV file: commas, optional double quotes, whitespace kept, any newlines. A trailing newline does not start
 * another row.
 *
 * @param Failure the error for an unmatched double quote
 */
export function* csvRows(
  text: string,
  Failure: new (message: string) => Error,
): Generator<readonly string[]> {
  for (let at = 0, number = 1; at < text.length; number++) {
    const row = csvRowAt(text, at);
    if (typeof row === 'string') {
      throw new Failure(`The file is not CSV: row ${number} has an unmatched double quote.`);
    }
    yield row.cells;
    at = row.end;
  }
}

/**
 * The cells of the row at a position, and where the next one starts. `unclosed`: more text may close a quote; `unmatched`:
 * other text follows one.
 */
export function csvRowAt(
  text: string,
  start: number,
): { readonly cells: readonly string[]; readonly end: number } | 'unclosed' | 'unmatched' {
  const cells: string[] = [];
  for (let at = start; ; ) {
    const cell = at;
    const isQuoted = text[cell] === '"';
    if (isQuoted) at = endOfQuotes(text, cell);
    if (at === -1) return 'unclosed';
    const sign = isQuoted ? REST_OF_QUOTED_CELL : END_OF_CELL;
    sign.lastIndex = at;
    const end = sign.exec(text);
    if (end === null) return 'unmatched';
    cells.push(isQuoted ? text.slice(cell + 1, at - 1).replaceAll('""', '"') : text.slice(cell, end.index));
    at = end.index + end[0].length;
    if (!end[0].endsWith(',')) return { cells, end: at };
  }
}

/** The position after the closing quote; -1 if there is none. */
function endOfQuotes(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return -1;
}
