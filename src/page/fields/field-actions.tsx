import type { JSX } from 'preact';
import { addFilter, groupBy, toggleColumn } from '../search/change-search.ts';
import { isEqual, isNotEqual } from '../search/query-text.ts';
import { search } from '../state/page-state.ts';

/** What can be done with a value of a field. */
export function FieldActions({ name, value }: { name: string; value: string }): JSX.Element {
  const isColumn = search.value.columns.includes(name);
  return (
    <span class="field-actions">
      <button
        type="button"
        title="Only records with this value"
        onClick={() => addFilter(isEqual(name, value))}
      >
        =
      </button>
      <button type="button" title="Without this value" onClick={() => addFilter(isNotEqual(name, value))}>
        ≠
      </button>
      <button
        type="button"
        title="Show as a column"
        aria-pressed={isColumn}
        onClick={() => toggleColumn(name)}
      >
        ▥
      </button>
      <button type="button" title="Group by this field" onClick={() => groupBy(name)}>
        Σ
      </button>
    </span>
  );
}
