import type { JSX } from 'preact';
import { DAYS_PER_MONTH, type IngestCost } from '../../core/records/ingest-cost.ts';
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
        <Shares {...loaded.result} />
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

function Shares({ records, bytes, bytesPerDay, shares, savings }: IngestCost): JSX.Element {
  const rate = (share: number): string =>
    bytesPerDay === null
      ? '–'
      : `${size(bytesPerDay * share)} a day, ${size(DAYS_PER_MONTH * bytesPerDay * share)} a month`;
  return (
    <>
      <p class="sample-note">
        {size(bytes)} of {records.toLocaleString('en')} records: {rate(1)}. Estimated with the formula that
        the service documents: raw string, tags and time. Fields that a parser removes are not subtracted.
      </p>
      {savings.map(({ advice, share }) => (
        <p class="notice" data-tone="warn" key={advice}>
          <bdi>{lineText(advice)}</bdi>: −{percent(share)}, {rate(share)}
        </p>
      ))}
      <table>
        <tbody>
          {shares.map(({ by, name, bytes: own, share }) => (
            <tr key={`${by} ${name}`}>
              <td class="dim">{by}</td>
              <td>
                <bdi>{lineText(name)}</bdi>
              </td>
              <td>{percent(share)}</td>
              <td>{size(own)}</td>
              <td>{rate(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function size(bytes: number): string {
  const [unit, name] = bytes < 1e6 ? [1e3, 'kB'] : bytes < 1e9 ? [1e6, 'MB'] : [1e9, 'GB'];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}
