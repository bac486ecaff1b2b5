import type { JSX } from 'preact';
import { addFilter, groupBy, toggleColumn } from '../search/change-search.ts';
import { isEqual } from '../search/query-text.ts';
import { search } from '../state/page-state.ts';

/** Actions for a value of a field. */
export function FieldActions({ name, value }: { name: string; value: string }): JSX.Element {
  const isColumn = search.value.columns.includes(name);
  const actions: readonly (readonly [sign: string, title: string, action: () => void, isOn?: boolean])[] = [
    ['=', 'Only records with this value', () => addFilter(isEqual(name, value))],
    ['≠', 'Without this value', () => addFilter(isEqual(name, value, '!='))],
    ['▥', 'Show as a column', () => toggleColumn(name), isColumn],
    ['Σ', 'Group by this field', () => groupBy(name)],
  ];
  return (
    <span class="field-actions">
      {actions.map(([sign, title, action, isOn]) => (
        <button
          type="button"
          key={sign}
          title={title}
          aria-label={title}
          aria-pressed={isOn}
          onClick={action}
        >
          {sign}
        </button>
      ))}
    </span>
  );
}
