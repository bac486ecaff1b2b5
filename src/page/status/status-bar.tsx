import type { JSX } from 'preact';
import { countText } from '../../core/count-text.ts';
import { duration } from '../records/times.ts';
import { findText, foundPlaces, moveToFound } from '../search/find.ts';
import { follow, stopSearch } from '../search/run-search.ts';
import { placeOf, selectedRecord } from '../search/selection.ts';
import { search, set } from '../state/page-state.ts';
import {
  activity,
  facts,
  hasOlder,
  isFollowing,
  isStale,
  matches,
  progress,
  records,
  table,
  waitingCount,
} from '../state/results.ts';
import { hasStreams, serviceUrl } from '../state/service.ts';
import { Button } from '../widgets/button.tsx';
import { percent } from './truth-strip.tsx';

/** The bar below the result: whether it is live, and its number of rows. */
export function StatusBar(): JSX.Element {
  return (
    <footer class="status-bar dim small fixed">
      <FollowPill />
      <span role="status">{summary()}</span>
      {serviceUrl !== undefined && <span class="dim">{new URL(serviceUrl).host}</span>}
      {table.value === undefined && <FindBox />}
      <span class="gap" />
      <span class="dim keys">
        <kbd>/</kbd> search <kbd>j</kbd>
        <kbd>k</kbd> move <kbd>?</kbd> all keys
      </span>
    </footer>
  );
}

function FollowPill(): JSX.Element | null {
  const state = activity.value;
  if (state === 'searching') return pill(undefined, 'searching… stop', 'Stop (Esc)', stopSearch);
  if (state === 'reconnecting') return <Reconnecting />;
  if (state !== 'live') return null;
  if (table.value !== undefined) return pill('live', 'following');
  const name = hasStreams.value ? 'following' : 'following by polls';
  if (isFollowing.value) return pill('live', name, 'Pause (t)', () => follow(false));
  const waiting = `${waitingCount.value.toLocaleString('en')} new ${search.value.order === 'newest-last' ? '↓' : '↑'}`;
  return pill('paused', `paused · ${waiting}`, 'Follow again (t)', () => follow(true));
}

export const Reconnecting = (): JSX.Element => pill('warn', 'reconnecting…');

function pill(tone: string | undefined, label: string, title?: string, onClick?: () => void): JSX.Element {
  const shown = { class: 'pill fixed', 'data-tone': tone, title };
  if (onClick === undefined) return <span {...shown}>{label}</span>;
  return (
    <Button {...shown} onClick={onClick}>
      {label}
    </Button>
  );
}

function summary(): string {
  const result = facts.value;
  // After a failure, the numbers belong to another search.
  if (result === undefined || activity.value === 'failed') return '';
  if (activity.value === 'stopped') return isStale.value ? 'stopped' : `stopped · ${shownPart()}`;
  const share = activity.value === 'searching' && !isStale.value ? progress.value : undefined;
  if (share !== undefined) return `${shownPart()} so far · ${percent(share)} searched`;
  const time = activity.value === 'live' ? '' : ` · ${duration(result.timeMillis)}`;
  return shownPart() + time;
}

/** Number of rows, or of visible and matching records. */
function shownPart(): string {
  const shown = records.value.length;
  if (table.value !== undefined) return countText(table.value.rows.length, 'row');
  const isPart = hasOlder.value && matches.value > shown;
  return `${isPart ? `${shown.toLocaleString('en')} of ` : ''}${countText(isPart ? matches.value : shown, 'record')}`;
}

/** Finds text in all loaded records, also those that are not rendered. Enter selects the next one, Shift+Enter the one before. */
function FindBox(): JSX.Element {
  const found = foundPlaces.value;
  const place = found.indexOf(placeOf(selectedRecord.value)) + 1;
  return (
    <>
      <input
        type="search"
        class="find-box"
        aria-label="Find in the loaded records"
        placeholder="Find in these records"
        value={findText.value}
        onInput={({ currentTarget }) => set(findText, currentTarget.value)}
        onKeyDown={({ key, shiftKey, currentTarget }) => {
          if (key === 'Enter') moveToFound(shiftKey ? -1 : 1);
          if (key === 'Escape') currentTarget.blur();
        }}
      />
      {findText.value !== '' && <span role="status">{`${place || '–'} of ${found.length}`}</span>}
    </>
  );
}
