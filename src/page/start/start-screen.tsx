import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explanationOf } from '../api/http.ts';
import { findIngestToken, sendTestRecord } from '../api/repositories.ts';
import { chooseFiles } from '../files/open-files.ts';
import { http, repository } from '../state/page-state.ts';
import { Button } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { Tabs } from '../widgets/tabs.tsx';
import { snippets } from './snippets.ts';
import { watchFirstRecord } from './watch-first-record.ts';

/** Shown while the repository is empty: how to send the first record. Replaced with the records once one arrives. */
export function StartScreen(): JSX.Element {
  const name = repository.value;
  const [token, setToken] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setToken(undefined);
    findIngestToken(http, name).then(setToken, () => setToken(undefined));
  }, [name]);
  useEffect(() => watchFirstRecord(name), [name]);
  const texts = snippets({
    baseUrl: http.baseUrl.replace(/\/$/, ''),
    ingestToken: token ?? '<ingest token>',
  });
  const [tab, setTab] = useState<keyof typeof texts>('pino');
  return (
    <main class="start">
      <h1>Waiting for the first record</h1>
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
        <Button
          class="primary"
          onClick={() => {
            sendTestRecord(http, name).catch((error: Error) => setProblem(explanationOf(error)));
          }}
        >
          Send a test record
        </Button>{' '}
        <Button onClick={chooseFiles}>Open a file…</Button>
      </p>
      {problem !== '' && <p class="problem-text">{problem}</p>}
    </main>
  );
}
