import type { JSX } from 'preact';
import type { CostRow, IngestCost } from '../../core/records/ingest-cost.ts';
import { lineText } from '../records/visible-text.ts';
import { useServer } from './load-patterns.ts';

/** The bytes that the service bills for the records of the result, and what would save some. */
export function Cost(): JSX.Element {
  const loaded = useServer<IngestCost>('cost');
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Cost">
      {loaded?.result === undefined ? (
        <p class="sample-note">{stateOf(loaded)}</p>
      ) : (
        <Costs {...loaded.result} />
      )}
    </div>
  );
}

function stateOf(loaded: { readonly failure?: string } | undefined): string {
  if (loaded === undefined) return 'Counting the bytes of all records…';
  return lineText(
    loaded.failure ||
      'Only a local server counts the bytes of a result. Export the records as NDJSON and run: logclient cost FILE',
  );
}

function Costs({ records, rows }: IngestCost): JSX.Element {
  const [total, ...others] = rows;
  return (
    <>
      <p class="sample-note">
        {size(total?.bytes ?? 0)} of {records.toLocaleString('en')} records: {total && rate(total)}. Estimated
        with the formula that the service documents: raw string, tags and time. Fields that a parser removes
        are not subtracted.
      </p>
      <table>
        <tbody>
          {others.map((row) => (
            <tr class={row.by === 'saving' ? 'notice' : undefined} key={`${row.by} ${row.name}`}>
              <td class="dim">{row.by}</td>
              <td>
                <bdi>{lineText(row.name)}</bdi>
              </td>
              <td>{fixed(row.percent)} %</td>
              <td>{size(row.bytes)}</td>
              <td>{rate(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function rate({ bytesPerDay, bytesPerMonth }: CostRow): string {
  if (bytesPerDay === null || bytesPerMonth === null) return '–';
  return `${size(bytesPerDay)} a day, ${size(bytesPerMonth)} a month`;
}

function size(bytes: number): string {
  const most = Math.abs(bytes);
  const [unit, name] = most < 1e6 ? [1e3, 'kB'] : most < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${fixed(bytes / unit)} ${name}`;
}

/** Bytes that a change would save are negative. */
function fixed(number: number): string {
  return number.toFixed(1).replace('-', '−');
}
