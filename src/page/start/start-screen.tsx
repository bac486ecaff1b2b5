import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explanationOf } from '../api/http.ts';
import { findIngestToken, sendTestRecord } from '../api/repositories.ts';
import { chooseFiles } from '../files/open-files.ts';
import { newEvents } from '../search/new-events.ts';
import { searchAgain } from '../search/run-search.ts';
import { http, repository } from '../state/page-state.ts';
import { type Activity, isRepositoryEmpty } from '../state/results.ts';
import { Reconnecting } from '../status/status-bar.tsx';
import { Button } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { Tabs } from '../widgets/tabs.tsx';
import { snippets } from './snippets.ts';

/** Shown while the repository is empty: how to send the first record. Replaced with the records once one arrives. */
export function StartScreen(): JSX.Element {
  const name = repository.value;
  const [token, setToken] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    setToken(undefined);
    findIngestToken(http, name).then(setToken, () => setToken(undefined));
  }, [name]);
  useEffect(() => watchFirstRecord(name, setLost), [name]);
  const texts = snippets(http.baseUrl.replace(/\/$/, ''), token ?? '<ingest token>');
  const [tab, setTab] = useState<keyof typeof texts>('pino');
  const send = () => sendTestRecord(http, name).catch((error: Error) => setProblem(explanationOf(error)));
  return (
    <main class="start">
      <h1>Waiting for the first record</h1>
      {isLost && <Reconnecting />}
      <p class="dim">
        The repository <b>{name}</b> is empty. Records appear here as soon as an application sends them.
      </p>
      <div class="snippet">
        <header>
          <Tabs
            names={Object.keys(texts) as (keyof typeof texts)[]}
            selected={tab}
            onSelect={setTab}
            label="Logger"
          />
          <CopyButton label="Copy" text={() => texts[tab]} />
        </header>
        <pre role="tabpanel" aria-label={tab}>
          <code>{texts[tab]}</code>
        </pre>
      </div>
      <p>
        <Button class="primary" onClick={send}>
          Send a test record
        </Button>{' '}
        <Button onClick={chooseFiles}>Open a file…</Button>
      </p>
      {problem !== '' && <p class="problem-text">{problem}</p>}
    </main>
  );
}

/** Searches again when the first record of a repository arrives. Returns a function that stops watching. */
function watchFirstRecord(repository: string, onLost: (isLost: boolean) => void): () => void {
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    const onState = (state: Activity): void => onLost(state === 'reconnecting');
    for await (const _ of newEvents(repository, { queryString: '', onState, signal: stop.signal })) {
      isRepositoryEmpty.value = false;
      searchAgain();
      return;
    }
  };
  // After a failure, the user can reload the page.
  watch().catch(() => {});
  return () => stop.abort();
}
