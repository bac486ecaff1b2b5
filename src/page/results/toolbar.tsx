import type { JSX } from 'preact';
import { BookmarksButton, FilterChips, LevelButtons } from '../filters/filter-bar.tsx';
import { CompareButton } from '../histogram/histogram-view.tsx';
import { clearRecords } from '../search/change-search.ts';
import { search, set, update } from '../state/page-state.ts';
import { showsFields } from '../state/preferences.ts';
import { table } from '../state/results.ts';
import type { SearchState } from '../state/search-state.ts';
import { reportName } from '../state/service.ts';
import { Button } from '../widgets/button.tsx';
import { ExportMenu } from './export-menu.tsx';

const VIEWS: readonly (readonly [SearchState['view'], string, string])[] = [
  ['list', 'List', 'One line for each record'],
  ['table', 'Table', 'Chosen fields as columns'],
  ['patterns', 'Similar', 'Similar records as one line'],
  ['cost', 'Cost', 'Bytes that the service bills for the records'],
];

/** The bar above the result: levels, filters and view settings. */
export function Toolbar(): JSX.Element {
  const { view, clearedAt, order, wrap } = search.value;
  const isLast = order === 'newest-last';
  const isTable = table.value !== undefined;
  return (
    <div class="toolbar fixed">
      <Button
        aria-pressed={showsFields.value}
        title="Show the fields of the records"
        onClick={() => set(showsFields, !showsFields.value)}
      >
        Fields
      </Button>
      <LevelButtons />
      <FilterChips />
      <BookmarksButton />
      <div class="tools">
        <Button
          aria-pressed={wrap === 'on'}
          title="Continue long rows on further lines"
          onClick={() => update({ wrap: wrap === 'on' ? 'off' : 'on' })}
        >
          Wrap
        </Button>
        {!isTable && (
          <>
            <div class="segmented" role="group" aria-label="View">
              {VIEWS.map(([name, label, title]) => (
                <Button
                  key={name}
                  title={title}
                  aria-pressed={view === name}
                  onClick={() => update({ view: name })}
                >
                  {label}
                </Button>
              ))}
            </div>
            {view !== 'patterns' && view !== 'cost' && (
              <Button
                title="Change the order of the records"
                onClick={() => update({ order: isLast ? 'newest-first' : 'newest-last' })}
              >
                {isLast ? 'Newest last ↓' : 'Newest first ↑'}
              </Button>
            )}
            <CompareButton />
            {clearedAt > 0 && (
              <Button title="Show the hidden records again" onClick={() => update({ clearedAt: 0 })}>
                Show hidden
              </Button>
            )}
            {reportName === undefined && (
              <Button title="Hide the records that are there now. Nothing is deleted." onClick={clearRecords}>
                Clear
              </Button>
            )}
          </>
        )}
        <ExportMenu />
      </div>
    </div>
  );
}
