import type { JSX } from 'preact';
import { severityOf } from '../../internal/records/severity.ts';
import { lineText } from '../records/visible-text.ts';
import { showEvents } from '../search/change-search.ts';
import { isInGroup } from '../search/query-text.ts';
import { search, update } from '../state/page-state.ts';
import type { TableResult } from '../state/results.ts';
import { columnsOf, numberColumns, readable } from './result-shape.ts';

const MAX_BARS = 200;

/** Rows with a number as bars, beside their other numbers. A click on a name shows its records. */
export function BarChart({ result }: { result: TableResult }): JSX.Element {
  const { rows, fieldOrder, groupedBy } = result;
  const numbers = numberColumns(result);
  const keys = columnsOf(rows, fieldOrder).filter((name) => !numbers.includes(name));
  const chosen = search.value.measure;
  const measure = numbers.includes(chosen) ? chosen : numbers[0]!;
  const most = rows.reduce(
    (most, row) => Math.max(most, Math.abs(Number(row[measure] ?? 0))),
    Number.MIN_VALUE,
  );
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
          {rows.slice(0, MAX_BARS).map((row, index) => {
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
                  <i style={{ width: `${(100 * Math.abs(Number(row[measure] ?? 0))) / most}%` }} />
                </td>
                {numbers.map((column) => (
                  <td key={column} data-number data-chosen={column === measure || undefined}>
                    {readable(row[column])}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > MAX_BARS && <p class="dim">The table has all {rows.length} rows.</p>}
    </div>
  );
}
