import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { countText } from '../../core/count-text.ts';
import { quoteField } from '../../core/query-text.ts';
import { type FieldSummary, MAX_FIELDS, summarizeFields } from '../../core/records/field-summary.ts';
import { isServiceField } from '../../core/records/logger-line.ts';
import type { Row } from '../api/rows.ts';
import { lineText } from '../records/visible-text.ts';
import { addFilter, chartOf, groupBy, toggleColumn } from '../search/change-search.ts';
import { fieldSample, isNumeric } from '../search/field-sample.ts';
import { fullQuery, isEqual, joinSteps } from '../search/query-text.ts';
import { rangeText } from '../search/result-shape.ts';
import { searchInput, searchKey } from '../search/run-search.ts';
import { search, searchResult, update } from '../state/page-state.ts';
import { activity, facts, table } from '../state/results.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { Button } from '../widgets/button.tsx';

const REFRESH_MS = 1000;
const TOP = 5;

/** Fields of the records and how many records have them. An open field shows its most frequent values. */
export function FieldsPanel(): JSX.Element {
  const sample = useThrottled(fieldSample.value, REFRESH_MS);
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<string | undefined>(undefined);
  // A search also finds fields that the service adds to all records.
  const [showsAll, setShowsAll] = useState(false);
  const count = useMemo(() => new Set(sample.flatMap(({ row }) => Object.keys(row))).size, [sample]);
  const fields = useMemo(
    () =>
      summarizeFields(
        sample.map(({ row }) => row),
        (name) =>
          name.toLowerCase().includes(filter.toLowerCase()) &&
          (showsAll || filter !== '' || !isServiceField(name)),
      ),
    [sample, filter, showsAll],
  );
  return (
    <aside class="fields" aria-label="Fields">
      <input
        type="search"
        aria-label="Find a field"
        placeholder={`Find in ${countText(count, 'field')}`}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <p class="dim">Fields that distinguish records come first</p>
      <ul>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            isOpen={open === field.name}
            onToggle={() => setOpen(open === field.name ? undefined : field.name)}
          />
        ))}
      </ul>
      {!showsAll && (
        <Button class="link" onClick={() => setShowsAll(true)}>
          Fields of the service
        </Button>
      )}
      {fields.length === MAX_FIELDS && <p class="dim">Type to find the others.</p>}
    </aside>
  );
}

/** A list that changes at most once per interval after it is no longer empty. */
function useThrottled<Item>(value: readonly Item[], intervalMs: number): readonly Item[] {
  const [shown, setShown] = useState({ value, time: 0 });
  useEffect(() => {
    const wait = shown.value.length === 0 ? 0 : Math.max(0, shown.time + intervalMs - Date.now());
    const timer = setTimeout(() => setShown({ value, time: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [value]);
  return shown.value;
}

interface FieldProps {
  readonly field: FieldSummary;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Field({ field, isOpen, onToggle }: FieldProps): JSX.Element {
  const { name, coverage } = field;
  const percent = coverage < 0.01 ? '<1%' : `${Math.round(100 * coverage)}%`;
  return (
    <li>
      <Button class="field small" aria-expanded={isOpen} onClick={onToggle}>
        <bdi>{lineText(name, 60)}</bdi>
        <span class="dim" title={`In ${percent} of the newest records`}>
          {percent}
        </span>
      </Button>
      {isOpen && <FieldValues field={field} />}
    </li>
  );
}

/** The most frequent values of the whole search; those of the visible records until they are counted. */
function FieldValues({ field }: { field: FieldSummary }): JSX.Element {
  const { name, distinct } = field;
  // The query for the input events of the search.
  const query = table.value === undefined ? fullQuery(search.value) : (facts.value?.filterQuery ?? '');
  const hasResult = activity.value !== 'searching' && activity.value !== 'stopped';
  const key = searchKey.value + query;
  const counted = useLoaded(hasResult ? key : undefined, (signal) => countValues(name, query, signal));
  const { top, numbers } =
    typeof counted === 'object' ? counted : { top: field.top.slice(0, TOP), numbers: '' };
  const most = top[0]?.[1] ?? 1;
  const tools: readonly (readonly [label: string, action: () => void])[] = [
    [search.value.columns.includes(name) ? 'Remove column' : 'Column', () => toggleColumn(name)],
    ['Group by', () => groupBy(name)],
    ['Chart', () => chartOf(name)],
    ['Stack', () => update({ series: name })],
  ];
  return (
    <div class="field-detail">
      <p class="dim small">{countText(distinct, 'value')} in the newest records</p>
      {numbers !== '' && <p class="dim small">{numbers}</p>}
      <ol aria-label={`Most frequent values of ${name}`}>
        {top.map(([value, count]) => (
          <li key={value}>
            <Button
              class="small"
              title="Only these records (with Alt: without them)"
              onClick={({ altKey }) => addFilter(isEqual(name, value, altKey ? '!=' : '='))}
            >
              <i style={{ width: `${(100 * count) / most}%` }} />
              <bdi>{lineText(value, 60) || '(empty)'}</bdi>
              <b>{count.toLocaleString('en')}</b>
            </Button>
            <Button
              class="icon dim"
              aria-label={`Without ${lineText(value, 60)}`}
              onClick={() => addFilter(isEqual(name, value, '!='))}
            >
              ≠
            </Button>
          </li>
        ))}
      </ol>
      <p class="field-tools">
        {tools.map(([label, action]) => (
          <Button key={label} class="accent small" onClick={action}>
            {label}
          </Button>
        ))}
      </p>
    </div>
  );
}

/** The most frequent values of a field in the whole search, and the range of its numbers. */
async function countValues(name: string, part: string, signal: AbortSignal) {
  const field = quoteField(name);
  const rowsOf = async (step: string): Promise<readonly Row[]> => {
    const query = { ...searchInput(search.peek()), queryString: joinSteps([part, step]), signal };
    return (await searchResult(query)).events;
  };
  const range = `[min(${field}, as=min), avg(${field}, as=avg), max(${field}, as=max)]`;
  const [frequent, [row]] = await Promise.all([
    rowsOf(`top(${field}, limit=${TOP})`),
    isNumeric(name) ? rowsOf(range) : [],
  ]);
  return {
    top: frequent.map((each) => [String(each[name] ?? ''), Number(each._count)] as const),
    numbers: row === undefined ? '' : rangeText(row),
  };
}
