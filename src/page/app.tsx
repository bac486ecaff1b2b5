import type { JSX } from 'preact';
import { HelpDialog } from './dialogs/help-dialog.tsx';
import { FieldsPanel } from './fields/fields-panel.tsx';
import { SearchBar } from './header/search-bar.tsx';
import { HistogramView } from './histogram/histogram-view.tsx';
import { blockText } from './records/visible-text.ts';
import { RejectionStrip } from './rejections/rejection-strip.tsx';
import { RequestView } from './results/request-view.tsx';
import { Results } from './results/results.tsx';
import { Toolbar } from './results/toolbar.tsx';
import { shownRequest } from './search/shown-request.ts';
import { NoAccess } from './start/no-access.tsx';
import { StartScreen } from './start/start-screen.tsx';
import { showsFields } from './state/preferences.ts';
import { isRepositoryEmpty, problem } from './state/results.ts';
import { failureMessage } from './state/service.ts';
import { StatusBar } from './status/status-bar.tsx';
import { TruthStrip } from './status/truth-strip.tsx';
import { Button } from './widgets/button.tsx';

const MAX_CHARACTERS = 20_000;

export function App(): JSX.Element {
  if (problem.value?.kind === 'token') return <NoAccess />;
  return (
    <>
      <header class="page-header">
        <Button class="skip" onClick={() => document.querySelector<HTMLElement>('.scroller')?.focus()}>
          Skip to the result
        </Button>
        <span class="logo fixed" aria-hidden="true" />
        <SearchBar />
      </header>
      <TruthStrip />
      <RejectionStrip />
      {failureMessage !== '' && <TestFailure message={failureMessage} />}
      {isRepositoryEmpty.value ? (
        <StartScreen />
      ) : (
        <main>
          <h1 class="unseen">Records</h1>
          {problem.value?.kind !== 'query' && <Overview />}
          <Toolbar />
          <div class="workspace">
            {showsFields.value && <FieldsPanel />}
            <Results />
          </div>
        </main>
      )}
      {!isRepositoryEmpty.value && <StatusBar />}
      <HelpDialog />
    </>
  );
}

/** What is above the list: when the records were logged, or who worked on a request. */
function Overview(): JSX.Element {
  const request = shownRequest.value;
  return request === undefined ? <HistogramView /> : <RequestView request={request} />;
}

/** Shows why the test of a report failed. */
function TestFailure({ message }: { readonly message: string }): JSX.Element {
  return (
    <details class="test-failure" open>
      <summary>Why the test failed</summary>
      <pre class="notice" data-tone="error" tabIndex={0} role="group" aria-label="Why the test failed">
        <bdi>{blockText(message, MAX_CHARACTERS)}</bdi>
      </pre>
    </details>
  );
}
