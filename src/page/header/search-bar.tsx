import type { JSX } from 'preact';
import { draft, QueryEditor } from '../editor/query-editor.tsx';
import { lineText } from '../records/visible-text.ts';
import { reportedProblem } from '../search/failure.ts';
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
      <div class="query-box" data-invalid={problem.value?.kind === 'query' || undefined}>
        <QueryEditor value={state.query} onRun={run} problem={reportedProblem.value} />
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
