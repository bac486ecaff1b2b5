import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { fieldNames } from '../../core/records/field-names.ts';
import type { IngestCost } from '../../core/records/ingest-cost.ts';
import type { Row } from '../api/rows.ts';
import { lineText } from '../records/visible-text.ts';
import { sortRows } from '../search/result-shape.ts';
import { search } from '../state/page-state.ts';
import { useServer, useViewRows } from './load-patterns.ts';
import { ResultTable } from './result-table.tsx';

/** The bytes that the service bills for the records of the result, and what would save some. */
export function Cost(): JSX.Element {
  const loaded = useServer<IngestCost>('cost');
  const { records = 0, rows = [] }: Partial<IngestCost> = typeof loaded === 'object' ? loaded : {};
  const savings = rows.filter(({ by }) => by === 'saving');
  const all = useMemo(
    // Records of less than an hour have no volume per month, and those of one moment none per day.
    () =>
      rows.map((row): Row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
    [loaded],
  );
  useViewRows(() => sortRows(all, search.value.sort));
  const table = useMemo(() => {
    const amounts = all.filter(({ by }) => by !== 'saving');
    return { rows: amounts, fieldOrder: [], extraData: {}, groupedBy: [], numbers: fieldNames(amounts) };
  }, [all]);
  return (
    <div class="aggregate cost" role="region" aria-label="Cost">
      <p class="sample-note dim">
        {typeof loaded !== 'object'
          ? stateOf(loaded)
          : `The volume of ${records.toLocaleString('en')} records, estimated with the formula that the service documents: raw string, tags and time. Fields that a parser removes are not subtracted.`}
      </p>
      {savings.map(({ name, percent }) => (
        <p class="notice" data-tone="warn" key={name}>
          <bdi>{lineText(name)}</bdi>: −{-percent} %
        </p>
      ))}
      {rows.length > 0 && <ResultTable result={table} />}
    </div>
  );
}

function stateOf(failure: string | undefined): string {
  if (failure === undefined) return 'Counting the bytes of all records…';
  return lineText(
    failure ||
      'Only a local server counts the bytes of a result. Export the records as NDJSON and run: logclient cost FILE',
  );
}
