import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { severityOf } from '../../core/records/severity.ts';
import { unitOf } from '../records/units.ts';
import { lineText } from '../records/visible-text.ts';
import { showEvents } from '../search/change-search.ts';
import { isInGroup } from '../search/query-text.ts';
import {
  columnsOf,
  largestRows,
  measureOf,
  numberColumns,
  readable,
  sizeOf,
  withUnit,
} from '../search/result-shape.ts';
import { search, update } from '../state/page-state.ts';
import type { TableResult } from '../state/results.ts';

const MAX_BARS = 200;

function cellText(value: string | number | undefined, column: string): string {
  const unit = unitOf(column);
  return unit === undefined || value === undefined || value === ''
    ? readable(value)
    : withUnit(Number(value), unit);
}

/** Bars for one number of each row, with its other numbers. Clicking a name shows its records. */
export function BarChart({ result }: { result: TableResult }): JSX.Element {
  const { rows, fieldOrder, groupedBy } = result;
  const numbers = numberColumns(result);
  const keys = columnsOf(rows, fieldOrder).filter((name) => !numbers.includes(name));
  const measure = measureOf(result, search.value.measure);
  const largest = useMemo(() => largestRows(rows, measure).slice(0, MAX_BARS), [rows, measure]);
  const most = largest.reduce((most, row) => Math.max(most, sizeOf(row, measure)), Number.MIN_VALUE);
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Bars">
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">{keys.map((key) => lineText(key, 40)).join(' · ')}</th>
            <td />
            {numbers.map((name) => (
              <th scope="col" key={name}>
                <button
                  type="button"
                  aria-pressed={name === measure}
                  onClick={() => update({ measure: name })}
                >
                  {lineText(name, 40)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {largest.map((row, index) => {
            const name = keys.map((key) => String(row[key] ?? '')).join(' · ');
            return (
              <tr key={`${index} ${name}`} data-severity={severityOf(name)}>
                <th scope="row">
                  <button
                    type="button"
                    title="Show these records"
                    onClick={() => showEvents(groupedBy.map((key) => isInGroup(key, String(row[key] ?? ''))))}
                  >
                    <bdi>{lineText(name, 80) || '(none)'}</bdi>
                  </button>
                </th>
                <td class="bar-cell">
                  <i style={{ width: `${(100 * sizeOf(row, measure)) / most}%` }} />
                </td>
                {numbers.map((column) => (
                  <td
                    key={column}
                    data-number
                    data-chosen={column === measure || undefined}
                    title={String(row[column] ?? '')}
                  >
                    {cellText(row[column], column)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > MAX_BARS && (
        <p class="dim">
          {MAX_BARS} largest of {rows.length.toLocaleString('en')}. The table has all of them.
        </p>
      )}
    </div>
  );
}
