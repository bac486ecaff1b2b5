import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { countText } from '../../core/count-text.ts';
import { explanationOf } from '../api/http.ts';
import { deleteRecords, loadFacts, type RepositoryFacts } from '../api/repository-facts.ts';
import { chooseFiles, openedFiles } from '../files/open-files.ts';
import { count } from '../records/compact.ts';
import { fullTime } from '../records/times.ts';
import { reportsRejections } from '../rejections/load-rejections.ts';
import { searchAgain } from '../search/run-search.ts';
import { http, repositories, repository, search, sourceOf } from '../state/page-state.ts';
import { serviceUrl } from '../state/service.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { Button } from '../widgets/button.tsx';
import { Popover } from '../widgets/popover.tsx';

/** A button that shows the size of a repository, and can delete its records. */
export function RepositoryMenu(): JSX.Element {
  return (
    <Popover class="repository-facts" title="About this repository" label="ℹ︎">
      {(close) => <Facts name={repository.value} close={close} />}
    </Popover>
  );
}

function Facts({ name, close }: { readonly name: string; readonly close: () => void }): JSX.Element {
  const facts = useLoaded(name, (signal) => loadFacts(http, sourceOf(name), signal));
  if (typeof facts === 'string') return <p class="problem-text">{facts}</p>;
  if (facts === undefined) return <p class="dim">Loading…</p>;
  const isFile = openedFiles().includes(name);
  const isView = repositories.value?.find((known) => known.name === name)?.isView ?? false;
  return (
    <>
      <FactList facts={isFile ? { ...facts, maxBytes: undefined, maxRecords: undefined } : facts} />
      {serviceUrl === undefined && (
        <p>
          <Button onClick={chooseFiles}>Open a file…</Button>
        </p>
      )}
      {!reportsRejections.value && <p class="dim">This service does not report rejected requests.</p>}
      {isView ? (
        <p class="dim">This is a view: its records belong to repositories.</p>
      ) : (
        serviceUrl === undefined &&
        facts.records > 0 && <DeleteRecords name={name} records={facts.records} close={close} />
      )}
    </>
  );
}

function FactList({ facts }: { readonly facts: RepositoryFacts }): JSX.Element {
  const { records, oldest, lastMinute, bytes, maxBytes, maxRecords } = facts;
  return (
    <dl>
      <dt>Records</dt>
      <dd>{limited(records, maxRecords, count)}</dd>
      <dt>Size</dt>
      <dd>{bytes === undefined ? 'not reported' : limited(bytes, maxBytes, mebibytes)}</dd>
      <dt>Oldest record</dt>
      <dd>{oldest === undefined ? 'none' : fullTime(oldest, search.value.timeZone).slice(0, 19)}</dd>
      <dt>Rate</dt>
      <dd>{count(lastMinute)} in the last minute</dd>
    </dl>
  );
}

/** `1.2 MiB of 256 MiB (1%)`. */
function limited(value: number, max: number | undefined, write: (value: number) => string): string {
  if (max === undefined) return write(value);
  const percent = (100 * value) / max;
  const share = value > 0 && percent < 0.1 ? 'under 0.1' : percent.toFixed(percent < 10 ? 1 : 0);
  return `${write(value)} of ${write(max)} (${share}%)`;
}

function mebibytes(bytes: number): string {
  const mib = bytes / 1024 / 1024;
  return `${mib.toLocaleString('en', { maximumFractionDigits: mib < 10 ? 1 : 0 })} MiB`;
}

interface DeleteRecordsProps {
  readonly name: string;
  readonly records: number;
  readonly close: () => void;
}

/** Deletes all records after a confirmation. */
function DeleteRecords({ name, records, close }: DeleteRecordsProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState('');
  const confirm = (): void => {
    deleteRecords(http, name).then(
      () => {
        close();
        searchAgain();
      },
      (error: Error) => setProblem(explanationOf(error)),
    );
  };
  if (problem !== '')
    return (
      <p class="problem-text" role="alert">
        {problem}
      </p>
    );
  if (!isAsking) {
    return (
      <Button class="danger" onClick={() => setAsking(true)}>
        Delete all records…
      </Button>
    );
  }
  return (
    <div class="question" role="alertdialog" aria-label="Delete all records">
      <p>
        Delete {countText(records, 'record')} of <b>{name}</b>? This can't be undone.
      </p>
      <Button class="danger primary" onClick={confirm}>
        Delete
      </Button>
      {/* The safe choice has the focus. */}
      <button type="button" ref={(button) => button?.focus()} onClick={() => setAsking(false)}>
        Keep
      </button>
    </div>
  );
}
