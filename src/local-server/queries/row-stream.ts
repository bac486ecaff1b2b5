import { nextTurn } from '../event-loop.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { RowFormat } from './row-format.ts';
import { RowWriter } from './row-writer.ts';

/** How many rows are written before others get their turn. */
const ROWS_PER_PIECE = 256;
/** How long a piece may become before that, in UTF-16 units. */
const PIECE_LENGTH = 256 * 1024;

/** Rows as pieces of text. */
export async function* streamRows(rows: readonly StoredEvent[], format: RowFormat): AsyncGenerator<string> {
  const writer = new RowWriter(format);
  for (const [index, row] of rows.entries()) {
    writer.write(row);
    if (index % ROWS_PER_PIECE !== ROWS_PER_PIECE - 1 && writer.length < PIECE_LENGTH) continue;
    yield writer.take();
    await nextTurn();
  }
  writer.end();
  const text = writer.take();
  if (text !== '') yield text;
}
