import type { JSX } from 'preact';
import { blockText } from '../records/visible-text.ts';
import { setRange } from '../search/change-search.ts';
import { reportedProblem } from '../search/failure.ts';
import { search, update } from '../state/page-state.ts';
import { activity, hints, isStale, problem, progress, readShare, records, table } from '../state/results.ts';
import { NO_CONDITIONS } from '../state/search-state.ts';
import { Button } from '../widgets/button.tsx';
import { Cost } from './cost.tsx';
import { EventList } from './event-list.tsx';
import { Patterns } from './patterns.tsx';
import { TableResults } from './table-results.tsx';

/** The result in the best form, below a problem if there is one. */
export function Results(): JSX.Element {
  return (
    <section
      class="results"
      aria-label="Result"
      data-stale={isStale.value || undefined}
      data-wrap={search.value.wrap === 'on' || undefined}
    >
      {activity.value === 'searching' && (
        <progress class="search-progress" aria-label="Progress of the search" value={progress.value} />
      )}
      {problem.value !== undefined && (
        <pre class="notice" data-tone="error" role="alert">
          <bdi>{blockText(reportedProblem.value?.text ?? problem.value.message)}</bdi>
        </pre>
      )}
      {hints.value.map((hint) => (
        <p class="notice" data-tone="warn" key={hint}>
          {hint}
        </p>
      ))}
      <ResultBody />
    </section>
  );
}

function ResultBody(): JSX.Element | null {
  if (problem.value?.kind === 'query') return null;
  if (table.value !== undefined) return <TableResults result={table.value} />;
  if (records.value.length === 0) {
    const isKnown = activity.value !== 'searching' && problem.value === undefined;
    return isKnown ? <NothingFound /> : null;
  }
  if (search.value.view === 'cost') return <Cost />;
  return search.value.view === 'patterns' ? <Patterns key={search.value.moment} /> : <EventList />;
}

function NothingFound(): JSX.Element {
  const { filters, levels, query, start, clearedAt } = search.value;
  const isFiltered = query !== '' || levels.length > 0 || filters.some(({ isOff }) => !isOff);
  const isPart = readShare.value !== undefined || activity.value === 'stopped';
  return (
    <div class="nothing dim">
      <p>
        {isFiltered ? 'No matching records' : 'No records'}
        {isPart && ' so far'} {clearedAt > 0 ? 'since you cleared the list.' : 'in this time range.'}
      </p>
      {start !== 'all' && clearedAt === 0 && <Button onClick={() => setRange('all')}>Search all time</Button>}
      {isFiltered && <Button onClick={() => update(NO_CONDITIONS)}>Remove query and filters</Button>}
    </div>
  );
}
