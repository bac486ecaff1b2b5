import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { explanationOf } from '../api/http.ts';
import { deleteSavedQuery, listSavedQueries, type SavedQuery, saveQuery } from '../api/saved-queries.ts';
import { draft } from '../editor/query-editor.tsx';
import { lineText } from '../records/visible-text.ts';
import { fromSavedQuery, toSavedQuery } from '../search/saved-search.ts';
import { http, repository, search, update } from '../state/page-state.ts';
import { history } from '../state/preferences.ts';
import type { SearchState } from '../state/search-state.ts';
import { hasGraphql } from '../state/service.ts';
import { Button } from '../widgets/button.tsx';
import { CloseButton } from '../widgets/close-button.tsx';
import { Popover } from '../widgets/popover.tsx';

const HISTORY_SHOWN = 12;

/** Saved queries of the repository, and earlier queries of this browser. */
export function SavedQueries(): JSX.Element {
  return (
    <Popover class="saved" title="Saved and earlier queries" label="☆">
      {(close) => <QueryMenu close={close} />}
    </Popover>
  );
}

function QueryMenu({ close }: { close: () => void }): JSX.Element {
  const [saved, setSaved] = useState<readonly SavedQuery[]>([]);
  const [problem, setProblem] = useState('');
  const [deleted, setDeleted] = useState<SavedQuery | undefined>(undefined);
  const name = repository.value;
  const latest = useRef(0);
  const attempt = (action: Promise<unknown>): void => {
    const own = ++latest.current;
    action
      .then(() => listSavedQueries(http, name))
      // The list of an earlier attempt may arrive later.
      .then((list) => own === latest.current && setSaved(list))
      .then(() => setProblem(''))
      .catch((error: Error) => setProblem(explanationOf(error)));
  };
  useEffect(() => {
    if (hasGraphql.value) attempt(Promise.resolve());
  }, [name]);
  const restore = (query: SavedQuery): void => {
    const again = toSavedQuery(query.name, { ...search.value, ...fromSavedQuery(query) });
    attempt(saveQuery(http, name, again).then(() => setDeleted(undefined)));
  };
  const choose = (change: Partial<SearchState>): void => {
    update(change);
    close();
  };
  return (
    <>
      {hasGraphql.value ? (
        <SaveForm
          onSave={(title) =>
            attempt(saveQuery(http, name, toSavedQuery(title, { ...search.value, query: draft.value })))
          }
        />
      ) : (
        <p class="dim">This service can't save queries. Those that ran are kept in this browser.</p>
      )}
      {deleted !== undefined && (
        <p class="dim" role="status">
          Deleted “{lineText(deleted.name, 80)}”.{' '}
          <Button class="link" onClick={() => restore(deleted)}>
            Undo
          </Button>
        </p>
      )}
      {problem !== '' && <p class="problem-text">{problem}</p>}
      {saved.length > 0 && <h2>Saved</h2>}
      <ul>
        {saved.map((query) => (
          <li key={query.id}>
            <QueryChoice
              label={query.name}
              query={query.queryString}
              onChoose={() => choose(fromSavedQuery(query))}
            />
            <CloseButton
              label={`Delete the saved query ${query.name}`}
              onClick={() => attempt(deleteSavedQuery(http, name, query.id).then(() => setDeleted(query)))}
            />
          </li>
        ))}
      </ul>
      {history.value.length > 0 && <h2>Earlier</h2>}
      <ul>
        {history.value.slice(0, HISTORY_SHOWN).map((query) => (
          <li key={query}>
            <QueryChoice label="" query={query} onChoose={() => choose({ query })} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface QueryChoiceProps {
  readonly label: string;
  readonly query: string;
  readonly onChoose: () => void;
}

function QueryChoice({ label, query, onChoose }: QueryChoiceProps): JSX.Element {
  return (
    <Button class="query-choice" onClick={onChoose}>
      {label !== '' && <b>{lineText(label, 80)}</b>}
      <code class="dim">{lineText(query, 120)}</code>
    </Button>
  );
}

function SaveForm({ onSave }: { onSave: (name: string) => void }): JSX.Element {
  const [name, setName] = useState('');
  return (
    <form
      class="save-query"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(name.trim());
        setName('');
        // The button, which may have had the focus, is disabled now.
        event.currentTarget.querySelector('input')!.focus();
      }}
    >
      <input
        aria-label="Name for this query"
        placeholder="Name for this query"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" class="primary" disabled={name.trim() === ''}>
        Save
      </button>
    </form>
  );
}
