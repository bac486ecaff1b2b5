import type { ComponentChildren, JSX } from 'preact';
import { countText } from '../../core/count-text.ts';
import { mayWriteId } from '../../core/event-order.ts';
import { aheadSeconds, serverNow } from '../api/server-clock.ts';
import { dismissFile, fileNotice } from '../files/open-files.ts';
import { future, histogram } from '../histogram/load-histogram.ts';
import { duration } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { setRange } from '../search/change-search.ts';
import { fullQuery } from '../search/query-text.ts';
import { isLive, searchAgain } from '../search/run-search.ts';
import { search } from '../state/page-state.ts';
import { activity, facts, hasOlder, isStale, progress, readShare, warnings } from '../state/results.ts';
import { Button } from '../widgets/button.tsx';

/** Everything that the result on the page does not contain, or that is not yet known. */
export function TruthStrip(): JSX.Element {
  return (
    <section class="truths fixed" aria-label="What the result contains">
      <FileTruth />
      <ReadTruth />
      <SearchTruth />
      {warnings.value.map((warning) => (
        <Truth key={warning} tone="warn">
          {lineText(warning, 500)}
        </Truth>
      ))}
      <ListTruth />
      <ClockTruths />
    </section>
  );
}

interface TruthProps {
  readonly tone?: 'warn' | 'error' | undefined;
  /** Known part, from 0 to 1, with its name. */
  readonly share?: number | undefined;
  readonly of?: string;
  readonly action?: JSX.Element | false;
  readonly children: ComponentChildren;
}

function Truth({ tone, share, of, action, children }: TruthProps): JSX.Element {
  return (
    <div class="notice truth small" data-tone={tone}>
      {share !== undefined && <progress class="fixed" value={share} aria-label={of} />}
      <p role={tone === 'error' ? 'alert' : undefined}>
        <bdi>{children}</bdi>
      </p>
      {action}
    </div>
  );
}

/** Progress and outcome of opening a file on this page. */
function FileTruth(): JSX.Element | null {
  const notice = fileNotice.value;
  if (notice === undefined) return null;
  const { text, share, isFailure = false } = notice;
  const action = <Button onClick={dismissFile}>{share === undefined ? 'Dismiss' : 'Cancel'}</Button>;
  return (
    <section aria-label="Opened file">
      <Truth tone={isFailure ? 'error' : undefined} share={share} of="Read so far" action={action}>
        {lineText(text, 500)}
      </Truth>
    </section>
  );
}

/** How much of its files a server has read. */
function ReadTruth(): JSX.Element | null {
  const share = readShare.value;
  if (share === undefined) return null;
  const name = search.value.files.length === 1 ? search.value.files[0]!.replace(/^.*[\\/]/, '') : 'the files';
  const isRepeated = isLive(search.value);
  const again = !isRepeated && <Button onClick={searchAgain}>Search again</Button>;
  return (
    <Truth share={share} of="Read so far" action={again}>
      <b>{percent(share)} read</b> of {lineText(name, 80)}, the newest lines first.{' '}
      {isRepeated ? 'Results and counts grow until all is read.' : 'The result contains only these.'}
    </Truth>
  );
}

/** How much of the records a stopped search has read. */
function SearchTruth(): JSX.Element | null {
  const share = progress.value;
  if (share === undefined || share === 1 || isStale.value || activity.value !== 'stopped') return null;
  return (
    <Truth share={share} of="Searched so far" tone="warn">
      <b>{percent(share)} searched</b> when it was stopped. The result contains no other records.
    </Truth>
  );
}

function ListTruth(): JSX.Element | null {
  if (!hasOlder.value || !mayWriteId(fullQuery(search.value))) return null;
  return (
    <Truth tone="warn">
      <b>Older records can’t be listed,</b> because the query may write @id. An export has all of them.
    </Truth>
  );
}

function ClockTruths(): JSX.Element {
  const ahead = aheadSeconds.value;
  const unknown = histogram.value?.withoutTime ?? 0;
  const { count, last } = future.value;
  const show = (
    <Button onClick={() => setRange(String(facts.value?.start ?? 0), String(last + 1))}>Show</Button>
  );
  return (
    <>
      {count > 0 && (
        <Truth tone="warn" action={show}>
          <b>{countText(count, 'record')} from the future,</b> by up to {duration(last - serverNow())},{' '}
          {count === 1 ? 'is' : 'are'} outside of the time range, which ends now: a clock is ahead of that of
          the server.
        </Truth>
      )}
      {unknown > 0 && (
        <Truth>
          <b>{countText(unknown, 'record')} of unknown time</b>
          {unknown === 1 ? ' is' : ' are'} not in the histogram: no line of the file has a time.
        </Truth>
      )}
      {ahead !== 0 && (
        <Truth>
          <b>The clock of the server is {duration(1000 * Math.abs(ahead))}</b>
          {ahead > 0 ? ' ahead of' : ' behind'} that of this browser, and counts for all times.
        </Truth>
      )}
    </>
  );
}

/** Less than all is never 100%. */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'under 1%' : `${Math.floor(100 * Math.min(share, 0.99))}%`;
}
