import type { JSX } from 'preact';
import { lineText } from '../records/visible-text.ts';
import { columnsOf, readable, shapeOf } from '../search/result-shape.ts';
import { search, update } from '../state/page-state.ts';
import type { TableResult } from '../state/results.ts';
import { Button } from '../widgets/button.tsx';
import { BarChart } from './bar-chart.tsx';
import { ResultTable } from './result-table.tsx';
import { TimeChart } from './time-chart.tsx';

/** The result of an aggregate as a chart or table. */
export function TableResults({ result }: { result: TableResult }): JSX.Element {
  const shape = shapeOf(result);
  const { form } = search.value;
  const Form = FORMS[form === 'table' ? 'table' : shape];
  if (result.rows.length === 0) return <p class="nothing dim">The result has no rows.</p>;
  return (
    <div class="aggregate">
      {shape !== 'table' && (
        <div class="segmented" role="group" aria-label="Form of the result">
          <Button aria-pressed={form === 'chart'} onClick={() => update({ form: 'chart' })}>
            Chart
          </Button>
          <Button aria-pressed={form === 'table'} onClick={() => update({ form: 'table' })}>
            Table
          </Button>
        </div>
      )}
      <Form result={result} />
    </div>
  );
}

const FORMS = { time: TimeChart, number: Numbers, bars: BarChart, table: ResultTable } as const;

/** The numbers of a single row in large type. */
function Numbers({ result: { rows, fieldOrder } }: { result: TableResult }): JSX.Element {
  return (
    <div class="numbers">
      {columnsOf(rows, fieldOrder).map((name) => (
        <p class="single-value" key={name}>
          <b title={String(rows[0]?.[name] ?? '')}>{readable(rows[0]?.[name])}</b>
          <bdi class="dim">{lineText(name, 40)}</bdi>
        </p>
      ))}
    </div>
  );
}
