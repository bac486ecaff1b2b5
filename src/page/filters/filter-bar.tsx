import type { JSX } from 'preact';
import { countText } from '../../core/count-text.ts';
import { severityOf } from '../../core/records/severity.ts';
import { isHistogramStale, levelCounts } from '../histogram/load-histogram.ts';
import { compact } from '../records/compact.ts';
import { lineText } from '../records/visible-text.ts';
import { showBookmarks } from '../search/bookmarks.ts';
import { removeFilter, switchFilter, toggleLevel } from '../search/change-search.ts';
import { search } from '../state/page-state.ts';
import { Button } from '../widgets/button.tsx';
import { CloseButton } from '../widgets/close-button.tsx';
import { shownLevels } from './shown-levels.ts';

/** Buttons for the levels, with the number of records. */
export function LevelButtons(): JSX.Element {
  const { levels } = search.value;
  const absent = isHistogramStale.value ? undefined : 0;
  const counts = new Map([...levels.map((level) => [level, absent] as const), ...levelCounts.value]);
  const { shown, hidden } = shownLevels(counts, levels);
  return (
    <div class="levels" role="group" aria-label="Levels" data-stale={isHistogramStale.value || undefined}>
      {shown.map(([level, count]) => (
        <Button
          key={level}
          class="level-button"
          data-severity={severityOf(level)}
          aria-pressed={levels.includes(level)}
          onClick={() => toggleLevel(level)}
        >
          <bdi>{lineText(level, 16)}</bdi> <b>{count !== undefined && compact(count)}</b>
        </Button>
      ))}
      {hidden.length > 0 && (
        <span class="dim" title={lineText(hidden.map(([level]) => level).join(', '), 200)}>
          +{hidden.length}
        </span>
      )}
    </div>
  );
}

/** Conditions of the search. Clicking one turns it off without deleting it. */
export function FilterChips(): JSX.Element | null {
  const { filters } = search.value;
  if (filters.length === 0) return null;
  return (
    <ul class="filters" aria-label="Filters">
      {filters.map((filter) => (
        <li key={filter.text} data-off={filter.isOff || undefined}>
          <Button
            role="switch"
            aria-checked={!filter.isOff}
            title={filter.isOff ? 'Switch this filter on' : 'Switch this filter off'}
            onClick={() => switchFilter(filter)}
          >
            <bdi>{lineText(filter.text, 80)}</bdi>
          </Button>
          <CloseButton label={`Remove the filter ${filter.text}`} onClick={() => removeFilter(filter)} />
        </li>
      ))}
    </ul>
  );
}

/** Searches the bookmarked records, if there are any. */
export function BookmarksButton(): JSX.Element | null {
  const { length } = search.value.bookmarks;
  if (length === 0) return null;
  return (
    <Button
      title="Only the bookmarked records"
      aria-label={countText(length, 'bookmark')}
      onClick={showBookmarks}
    >
      ★ {length}
    </Button>
  );
}
