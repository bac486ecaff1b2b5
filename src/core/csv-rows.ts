const END_OF_CELL = /,|\r\n|\r|\n|$/g;
const REST_OF_QUOTED_CELL = / *(?:,|\r\n|\r|\n|$)/y;

/**
 * The rows of a CSV file: commas, optional double quotes, whitespace kept, any newlines. A trailing newline does not start
 * another row.
 *
 * @param Failure the error for an unmatched double quote
 */
export function* csvRows(text: string, Failure: new (message: string) => Error): Generator<string[]> {
  let row = 1;
  let cells: string[] = [];
  for (let at = 0; at < text.length || cells.length > 0; ) {
    const start = at;
    let sign = END_OF_CELL;
    if (text[start] === '"') {
      sign = REST_OF_QUOTED_CELL;
      at = endOfQuotes(text, start);
    }
    sign.lastIndex = at;
    const cellEnd = at === -1 ? null : sign.exec(text);
    if (cellEnd === null) throw new Failure(`The file is not CSV: row ${row} has an unmatched double quote.`);
    cells.push(
      sign === END_OF_CELL
        ? text.slice(start, cellEnd.index)
        : text.slice(start + 1, at - 1).replaceAll('""', '"'),
    );
    at = cellEnd.index + cellEnd[0].length;
    if (cellEnd[0].endsWith(',')) continue;
    yield cells;
    cells = [];
    row++;
  }
}

/** The position after the closing quote; -1 if there is none. */
function endOfQuotes(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at + 1;
  }
  return -1;
}
