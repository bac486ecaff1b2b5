import { nextTurn } from '../event-loop.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { RowFormat } from './row-format.ts';
import { RowWriter } from './row-writer.ts';

/** How many rows are written before others get their turn. */
const ROWS_PER_PIECE = 256;

/** Rows as pieces of text. */
export async function* streamRows(rows: readonly StoredEvent[], format: RowFormat): AsyncGenerator<string> {
  const writer = new RowWriter(format);
  for (let index = 0; index < rows.length; index++) {
    writer.write(rows[index]!);
    if (index % ROWS_PER_PIECE !== ROWS_PER_PIECE - 1) continue;
    yield writer.take();
    await nextTurn();
  }
  writer.end();
  const text = writer.take();
  if (text !== '') yield text;
}

/** Rows as one text. */
export async function renderRows(rows: readonly StoredEvent[], format: RowFormat): Promise<string> {
  let text = '';
  for await (const piece of streamRows(rows, format)) text += piece;
  return text;
}
