import { quoteString } from '../../core/query-text.ts';
import type { LogRecord } from '../records/log-record.ts';
import { search, update } from '../state/page-state.ts';
import { filtersOf, NO_CONDITIONS } from '../state/search-state.ts';
import { toggled } from './change-search.ts';

/** The bookmark of a record; `undefined` for one whose ID the query may have written, which can't be found again. */
export function bookmarkOf({ id, time, row }: LogRecord): string | undefined {
  return row['@id'] === id ? `${time}.${id}` : undefined;
}

/** Bookmarks a record, or removes its bookmark. Links contain the bookmarks. */
export function toggleBookmark(record: LogRecord | undefined): void {
  const bookmark = record && bookmarkOf(record);
  if (bookmark === undefined) return;
  update({ bookmarks: toggled(search.value.bookmarks, bookmark) }, { replaces: true });
}

/** Searches the bookmarked records, from the first to the last. */
export function showBookmarks(): void {
  const known = search.value.bookmarks.flatMap((bookmark) => {
    const [, time, id] = /^(\d+)\.(.+)$/s.exec(bookmark) ?? [];
    return id === undefined ? [] : [{ time: Number(time), id }];
  });
  const times = known.map(({ time }) => time);
  const condition = `in(@id, values=[${known.map(({ id }) => quoteString(id)).join(', ')}])`;
  update({
    ...NO_CONDITIONS,
    filters: filtersOf(condition),
    start: String(Math.min(...times)),
    end: String(Math.max(...times) + 1),
    isLive: false,
    clearedAt: 0,
  });
}
