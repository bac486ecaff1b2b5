import type { JSX } from 'preact';
import { FilterChips, LevelButtons } from '../filters/filter-bar.tsx';
import { CompareButton } from '../histogram/histogram-view.tsx';
import { clearRecords } from '../search/change-search.ts';
import { search, update } from '../state/page-state.ts';
import { showsFields } from '../state/preferences.ts';
import { table } from '../state/results.ts';
import type { ResultView } from '../state/search-state.ts';
import { reportName } from '../state/service.ts';
import { ExportMenu } from './export-menu.tsx';

const VIEWS: readonly (readonly [ResultView, string, string])[] = [
  ['list', 'List', 'One line for each record'],
  ['table', 'Table', 'Chosen fields as columns'],
  ['patterns', 'Similar', 'Similar records as one line'],
  ['cost', 'Cost', 'Bytes that the service bills for the records'],
];

/** The bar above the result: levels, filters and view settings. */
export function Toolbar(): JSX.Element {
  const { view, clearedAt, order } = search.value;
  const isLast = order === 'newest-last';
  const isTable = table.value !== undefined;
  return (
    <div class="toolbar">
      <button
        type="button"
        aria-pressed={showsFields.value}
        title="Show the fields of the records"
        onClick={() => {
          showsFields.value = !showsFields.value;
        }}
      >
        Fields
      </button>
      <LevelButtons />
      <FilterChips />
      <span class="gap" />
      {!isTable && (
        <>
          <div class="segmented" role="group" aria-label="View">
            {VIEWS.map(([name, label, title]) => (
              <button
                type="button"
                key={name}
                title={title}
                aria-pressed={view === name}
                onClick={() => update({ view: name })}
              >
                {label}
              </button>
            ))}
          </div>
          {view !== 'patterns' && view !== 'cost' && (
            <button
              type="button"
              title="Change the order of the records"
              onClick={() => update({ order: isLast ? 'newest-first' : 'newest-last' })}
            >
              {isLast ? 'Newest last ↓' : 'Newest first ↑'}
            </button>
          )}
          <CompareButton />
          {clearedAt > 0 && (
            <button
              type="button"
              title="Show the hidden records again"
              onClick={() => update({ clearedAt: 0 })}
            >
              Show hidden
            </button>
          )}
          {reportName === undefined && (
            <button
              type="button"
              title="Hide the records that are there now. Nothing is deleted."
              onClick={clearRecords}
            >
              Clear
            </button>
          )}
        </>
      )}
      <ExportMenu />
    </div>
  );
}
