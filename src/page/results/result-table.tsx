import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { VirtualList } from '../list/virtual-list.tsx';
import { fullTime } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { columnsOf, numberColumns, readable, readSorting, sortRows } from '../search/result-shape.ts';
import { search, update } from '../state/page-state.ts';
import type { TableResult } from '../state/results.ts';
import { Button } from '../widgets/button.tsx';
import { ColumnHeading, widthOf } from './columns.tsx';

/** The rows of a result. Clicking a heading sorts by its column. */
export function ResultTable({ result }: { result: TableResult }): JSX.Element {
  const { rows, fieldOrder } = result;
  const { sort, widths } = search.value;
  const columns = useMemo(() => columnsOf(rows, fieldOrder), [rows, fieldOrder]);
  const numbers = useMemo(() => new Set(numberColumns(result)), [result]);
  const sorted = useMemo(() => sortRows(rows, sort), [rows, sort]);
  return (
    <VirtualList
      count={sorted.length}
      keyOf={String}
      label="Rows of the result"
      role="table"
      edge="start"
      header={<Header columns={columns} numbers={numbers} />}
      row={(index) => (
        <div class="row result-row" role="row">
          {columns.map((name) => (
            <span
              class="cell"
              role="cell"
              key={name}
              style={widthOf(name, widths)}
              data-number={numbers.has(name) || undefined}
              title={numbers.has(name) ? String(sorted[index]?.[name] ?? '') : undefined}
            >
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

function Header({ columns, numbers }: { columns: readonly string[]; numbers: Set<string> }): JSX.Element {
  const [sorted, current] = readSorting(search.value.sort);
  return (
    <div class="row table-head result-row dim small" role="row">
      {columns.map((column) => {
        const direction = sorted === column ? current : undefined;
        return (
          <ColumnHeading
            key={column}
            name={column}
            data-number={numbers.has(column) || undefined}
            aria-sort={direction === undefined ? 'none' : direction === 1 ? 'ascending' : 'descending'}
          >
            <Button onClick={() => update({ sort: direction === -1 ? column : `-${column}` })}>
              <bdi>{lineText(column, 60)}</bdi>
              {direction !== undefined && (direction === 1 ? ' ↑' : ' ↓')}
            </Button>
          </ColumnHeading>
        );
      })}
    </div>
  );
}
