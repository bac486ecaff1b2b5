import { shortenText } from '../../core/shorten-text.ts';
import type { Row } from '../output/row-format.ts';
import { cellLine, tabTable } from '../output/tab-table.ts';
import { modelLine } from '../output/terminal-text.ts';
import { cutBytes } from '../output/text-size.ts';
import type { Answer } from './answer.ts';
import { eventColumns } from './event-columns.ts';
import type { CallLogs } from './tool.ts';

/** Bytes of a list of fields, and its share of the response. */
const MAX_LIST_BYTES = 400;
const MAX_LIST_SHARE = 0.15;

/**
 * Adds rows to a response.
 *
 * @param columns that the query or the caller determines. Default: chosen from the events and their query
 * @returns how many fit, and whether something of them is missing.
 */
export function showRows(
  answer: Answer,
  { refOf }: Pick<CallLogs, 'refOf'>,
  rows: readonly Row[],
  query?: string,
  columns?: readonly string[],
): { readonly shown: number; readonly isCut: boolean } {
  if (rows.length === 0) return { shown: 0, isCut: false };
  const chosen =
    columns === undefined ? eventColumns(rows, query) : { rows, columns, constant: [], others: [] };
  const { constant, others } = chosen;
  const maxBytes = Math.min(MAX_LIST_BYTES, answer.room * MAX_LIST_SHARE);
  if (constant.length > 0) {
    const pairs = constant.map(([name, value]) => `${modelLine(name)}=${shortenText(modelLine(value), 80)}`);
    answer.log(cutBytes(`same in all rows: ${pairs.join(' ')}`, maxBytes));
  }
  if (others.length > 0) answer.log(cutBytes(`more fields: ${others.map(modelLine).join(', ')}`, maxBytes));
  const names = rows.map(refOf);
  const hasRefs = names.some((name) => name !== '');
  const cells = chosen.rows.map((row, index) => [
    ...(hasRefs ? [names[index]!] : []),
    ...chosen.columns.map((column) => cellLine(row, column)),
  ]);
  const table = tabTable([...(hasRefs ? ['ref'] : []), ...chosen.columns], cells, answer.room - 1);
  answer.log(table.text);
  return { shown: table.shown, isCut: table.isCut };
}
