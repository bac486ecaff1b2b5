import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { draft, QueryEditor } from '../editor/query-editor.tsx';
import { placeOfError } from '../editor/reported-problem.ts';
import { lineText } from '../records/visible-text.ts';
import { definitionsEnd, fullQuery } from '../search/query-text.ts';
import { searchAgain } from '../search/run-search.ts';
import { isRelative } from '../search/time-range.ts';
import { TimeRangePicker } from '../search/time-range-picker.tsx';
import { repositories, repository, search, update } from '../state/page-state.ts';
import { problem } from '../state/results.ts';
import { reportName } from '../state/service.ts';
import { Button } from '../widgets/button.tsx';
import { RepositoryMenu } from './repository-facts.tsx';
import { SavedQueries } from './saved-queries.tsx';

/** The search: repository, query and time range. */
export function SearchBar(): JSX.Element {
  const state = search.value;
  const shown = problem.value;
  const place = useMemo(() => (shown?.kind === 'query' ? placeInEditor(shown.message) : undefined), [shown]);
  const run = (query: string): void => {
    if (query === state.query) searchAgain();
    else update({ query });
  };
  return (
    <search class="search-bar">
      {reportName === undefined ? (
        <>
          <RepositoryPicker />
          <RepositoryMenu />
        </>
      ) : (
        <bdi class="report-name" title={lineText(reportName)}>
          {lineText(reportName)}
        </bdi>
      )}
      <div class="query-box" data-invalid={shown?.kind === 'query' || undefined}>
        <QueryEditor value={state.query} onRun={run} problem={place} />
        {draft.value.trim() !== state.query.trim() && (
          <Button class="run-draft" onClick={() => run(draft.value)}>
            <span class="dim">edited, not run</span> Search
          </Button>
        )}
        <SavedQueries />
      </div>
      <TimeRangePicker />
      {reportName === undefined && <LiveSwitch />}
    </search>
  );
}

function LiveSwitch(): JSX.Element {
  const { isLive } = search.value;
  const canBeLive = isRelative(search.value);
  return (
    <Button
      class="live-switch"
      role="switch"
      aria-checked={isLive && canBeLive}
      disabled={!canBeLive}
      title={canBeLive ? 'Show new records as they arrive (t)' : 'A fixed time range has no new records'}
      onClick={() => update({ isLive: !isLive })}
    >
      Live
    </Button>
  );
}

/** The service's query includes the filters; the editor only has the text that the user typed. */
function placeInEditor(message: string): ReturnType<typeof placeOfError> {
  const state = search.peek();
  const whole = fullQuery(state);
  const place = placeOfError(whole, message);
  if (place === undefined) return undefined;
  const query = state.query.trim();
  const conditions = place.start < definitionsEnd(query) ? 0 : whole.length - query.length;
  const shift = conditions - (state.query.length - state.query.trimStart().length);
  return { ...place, start: Math.max(0, place.start - shift), end: Math.max(0, place.end - shift) };
}

function RepositoryPicker(): JSX.Element {
  const known = repositories.value ?? [];
  const isKnown = known.some(({ name }) => name === repository.value);
  const all = isKnown ? known : [{ name: repository.value, isView: false }, ...known];
  return (
    <select
      class="repository"
      aria-label="Repository"
      value={repository.value}
      onChange={({ currentTarget }) =>
        update({ repository: currentTarget.value, files: [], data: '', bookmarks: [] })
      }
    >
      {all.map(({ name, isView }) => (
        <option key={name} value={name}>
          {isView ? `${name} (view)` : name}
        </option>
      ))}
    </select>
  );
}
