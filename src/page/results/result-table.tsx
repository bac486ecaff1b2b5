import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Row } from '../api/types.ts';
import { VirtualList } from '../list/virtual-list.tsx';
import { fullTime } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { search } from '../state/page-state.ts';
import type { TableResult } from '../state/results.ts';
import { columnsOf, numberColumns, readable } from './result-shape.ts';

const ROW_HEIGHT = 28;

interface Sorting {
  readonly column: string;
  readonly direction: 1 | -1;
}

/** The rows of a result. A click on a heading sorts by its column. */
export function ResultTable({ result }: { result: TableResult }): JSX.Element {
  const { rows, fieldOrder } = result;
  const [sorting, setSorting] = useState<Sorting | undefined>(undefined);
  const columns = useMemo(() => columnsOf(rows, fieldOrder), [rows, fieldOrder]);
  const numbers = useMemo(() => new Set(numberColumns(result)), [result]);
  const sorted = useMemo(() => sortRows(rows, sorting), [rows, sorting]);
  return (
    <VirtualList
      count={sorted.length}
      keyOf={String}
      estimatedHeight={ROW_HEIGHT}
      label="Rows of the result"
      role="table"
      edge="start"
      header={<Header columns={columns} numbers={numbers} sorting={sorting} onSort={setSorting} />}
      row={(index) => (
        <div class="row result-row" role="row">
          {columns.map((name) => (
            <span class="cell" role="cell" key={name} data-number={numbers.has(name) || undefined}>
              <bdi>{cellText(name, sorted[index]?.[name], numbers.has(name))}</bdi>
            </span>
          ))}
        </div>
      )}
    />
  );
}

function cellText(name: string, value: string | number | undefined, isNumber: boolean): string {
  if (value !== undefined && /^(?:_bucket|@timestamp|_start|_end|_now)$/.test(name)) {
    return fullTime(Number(value), search.value.timeZone);
  }
  return isNumber ? readable(value) : lineText(String(value ?? ''), 300);
}

function sortRows(rows: readonly Row[], sorting: Sorting | undefined): readonly Row[] {
  if (sorting === undefined) return rows;
  const { column, direction } = sorting;
  return rows.toSorted((left, right) => {
    const [a, b] = [left[column] ?? '', right[column] ?? ''];
    const difference = Number(a) - Number(b);
    return direction * (Number.isNaN(difference) ? (String(a) < String(b) ? -1 : 1) : difference);
  });
}

interface HeaderProps {
  readonly columns: readonly string[];
  readonly numbers: ReadonlySet<string>;
  readonly sorting: Sorting | undefined;
  readonly onSort: (sorting: Sorting) => void;
}

function Header({ columns, numbers, sorting, onSort }: HeaderProps): JSX.Element {
  return (
    <div class="row table-head result-row" role="row">
      {columns.map((column) => {
        const direction = sorting?.column === column ? sorting.direction : undefined;
        return (
          <span
            class="cell"
            role="columnheader"
            key={column}
            data-number={numbers.has(column) || undefined}
            aria-sort={direction === undefined ? 'none' : direction === 1 ? 'ascending' : 'descending'}
          >
            <button type="button" onClick={() => onSort({ column, direction: direction === -1 ? 1 : -1 })}>
              <bdi>{lineText(column, 60)}</bdi>
              {direction !== undefined && (direction === 1 ? ' ↑' : ' ↓')}
            </button>
          </span>
        );
      })}
    </div>
  );
}
