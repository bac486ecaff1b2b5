import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo } from 'preact/hooks';
import { RecordDetail } from '../detail/record-detail.tsx';
import { VirtualList } from '../list/virtual-list.tsx';
import type { LogRecord } from '../records/log-record.ts';
import { RecordRow } from '../records/record-row.tsx';
import { daySeparators } from '../records/times.ts';
import { bookmarkOf } from '../search/bookmarks.ts';
import { findText, firstVisible } from '../search/find.ts';
import { loadOlder } from '../search/load-older.ts';
import { searchWords } from '../search/parsed-query.ts';
import { follow } from '../search/run-search.ts';
import {
  keepOpenRecord,
  openRecord,
  placeOf,
  revealedRecord,
  selectedRecord,
  shownRecords,
  toggleRecord,
} from '../search/selection.ts';
import { shownRequest, showRequest } from '../search/shown-request.ts';
import { search, set } from '../state/page-state.ts';
import { activity, facts, isFollowing } from '../state/results.ts';
import { EventTableHeader, EventTableRow } from './event-table.tsx';

/** Events as lines or as a table, with the details of the open record below its row. */
export function EventList(): JSX.Element {
  const { timeZone, order, view, columns, widths, query } = search.value;
  const isTable = view === 'table';
  const request = shownRequest.value;
  const other = findText.value || request?.id;
  const patternOf = useMemo(() => searchWords(query, other), [query, other]);
  const shown = shownRecords.value;
  // The list measures all rows again if this function changes.
  const keyOf = useCallback((index: number) => shown[index]?.id ?? String(index), [shown]);
  useEffect(pauseWhileSelecting, []);
  useEffect(keepOpenRecord, [facts.value]);
  const days = useMemo(() => daySeparators(shown, timeZone, Date.now()), [shown, timeZone]);
  const edge = order === 'newest-last' ? 'end' : 'start';
  // A request is read from its first record.
  const sticky = request === undefined ? edge : 'start';
  const row = (record: LogRecord): JSX.Element => {
    const all = {
      ...{ record, timeZone, patternOf, request, onToggle: toggleRecord, onRequest: showRequest },
      isOpen: openRecord.value === record.id,
      isSelected: selectedRecord.value === record.id,
      isBookmarked: search.value.bookmarks.includes(bookmarkOf(record) ?? ''),
    };
    return isTable ? <EventTableRow {...all} columns={columns} widths={widths} /> : <RecordRow {...all} />;
  };
  return (
    <VirtualList
      // A request starts at its first record, wherever the list was.
      key={request?.id}
      count={shown.length}
      keyOf={keyOf}
      label="Records"
      role={isTable ? 'table' : 'list'}
      header={isTable ? <EventTableHeader columns={columns} /> : undefined}
      pinned={(first) => pinnedDay(first, days)}
      edge={edge}
      sticksTo={isFollowing.value && openRecord.value === undefined ? sticky : undefined}
      onLeaveEdge={() => follow(false)}
      onReachEdge={followAgain}
      onNearFarEdge={() => {
        if (!isFollowing.value) void loadOlder();
      }}
      revealed={placeOf(revealedRecord.value)}
      onRevealed={() => set(revealedRecord, undefined)}
      row={(index) => {
        const record = shown[index];
        if (record === undefined) return null;
        return (
          <>
            {days.has(index) && <p class="day dim small">{days.get(index)}</p>}
            {row(record)}
            {openRecord.value === record.id && (
              <RecordDetail record={record} onClose={() => toggleRecord(record)} />
            )}
          </>
        );
      }}
    />
  );
}

function followAgain(): void {
  const isLive = activity.value === 'live' || activity.value === 'reconnecting';
  if (isLive && openRecord.value === undefined) follow(true);
}

/** The day of the first visible row, from the separator above it. Text is found from this row on. */
function pinnedDay(index: number, days: ReadonlyMap<number, string>): JSX.Element | undefined {
  firstVisible.place = index;
  const [place, day] = [...days].findLast(([first]) => first <= index) ?? [index];
  return place === index ? undefined : <p class="day dim small">{day}</p>;
}

/** Pauses the tail while text in the list is selected, because it must not move. */
function pauseWhileSelecting(): () => void {
  const onSelection = (): void => {
    const selection = getSelection();
    const node = selection?.anchorNode;
    const isInList = node instanceof Node && document.querySelector('.scroller')?.contains(node);
    if (selection?.isCollapsed === false && isInList) follow(false);
  };
  document.addEventListener('selectionchange', onSelection);
  return () => document.removeEventListener('selectionchange', onSelection);
}
