import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ACTIVITY_VIEW } from '../../core/wire/activity-view.ts';
import { fullTime, shortTime } from '../records/times.ts';
import { blockText, lineText } from '../records/visible-text.ts';
import { repositories, repository, search, set, update } from '../state/page-state.ts';
import { remembered } from '../state/preferences.ts';
import { NO_CONDITIONS } from '../state/search-state.ts';
import { Button } from '../widgets/button.tsx';
import { rejections, type ShownRejection } from './load-rejections.ts';

/** Time up to which rejections were dismissed, in epoch milliseconds. */
const dismissedAt = remembered('rejectionsDismissedAt', 0);
const isOpen = signal(false);

/** Shows what the server rejected and why, for users whose records don't arrive. */
export function RejectionStrip(): JSX.Element | null {
  // Rejections of other repositories would be misleading, but a view can contain several repositories.
  const isView = repositories.value?.some(({ name, isView }) => isView && name === repository.value);
  const shown = rejections.value.filter(
    ({ lastTime, repository: name = repository.value }) =>
      lastTime > dismissedAt.value && (isView || name === repository.value),
  );
  const latest = shown[0];
  useEffect(() => {
    if (latest === undefined) isOpen.value = false;
  }, [latest === undefined]);
  if (latest === undefined || search.value.repository === ACTIVITY_VIEW) return null;
  const count = shown.reduce((sum, rejection) => sum + rejection.count, 0);
  return (
    <section class="rejections" aria-label="Rejected requests">
      <div class="notice truth small" data-tone="warn">
        <Button
          class="rejections-summary"
          aria-expanded={isOpen.value}
          onClick={() => set(isOpen, !isOpen.value)}
        >
          <b class="fixed">{amount(count)} rejected</b>
          <span aria-hidden="true">{isOpen.value ? '▾' : '▸'}</span>
          <span class="rejections-latest">
            <bdi>{lineText(latest.reason)}</bdi>
          </span>
        </Button>
        <Button title="Hide these until there are new ones" onClick={() => set(dismissedAt, latest.lastTime)}>
          Dismiss
        </Button>
      </div>
      {isOpen.value && (
        <div class="rejections-panel" tabIndex={0} role="group" aria-label="Causes">
          <ul>
            {shown.map((rejection) => (
              <Cause key={rejection.cause} rejection={rejection} />
            ))}
          </ul>
          <Button class="link" onClick={() => update({ repository: ACTIVITY_VIEW, ...NO_CONDITIONS })}>
            Search in {ACTIVITY_VIEW}
          </Button>
        </div>
      )}
    </section>
  );
}

function Cause({ rejection }: { readonly rejection: ShownRejection }): JSX.Element {
  const { request, reason, client, token, fix, excerpt, count, firstTime, lastTime } = rejection;
  const { timeZone } = search.value;
  return (
    <li class="rejection">
      <p>
        <b>{count.toLocaleString('en')} ×</b> <bdi>{lineText(reason, 500)}</bdi>
      </p>
      <p class="dim">
        <code>{lineText(request)}</code> from <bdi>{lineText(client, 200)}</bdi> ({token}),{' '}
        <time title={fullTime(firstTime, timeZone)}>{shortTime(firstTime, timeZone, Date.now())}</time>
        {lastTime > firstTime && (
          <>
            {' to '}
            <time title={fullTime(lastTime, timeZone)}>{shortTime(lastTime, timeZone, Date.now())}</time>
          </>
        )}
      </p>
      <p>{fix}</p>
      {excerpt !== '' && (
        <pre class="raw">
          <bdi>{blockText(excerpt)}</bdi>
        </pre>
      )}
    </li>
  );
}

function amount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'request or record' : 'requests or records'}`;
}
