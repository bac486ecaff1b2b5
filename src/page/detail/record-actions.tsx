import type { JSX } from 'preact';
import type { LogRecord } from '../records/log-record.ts';
import { lineText } from '../records/visible-text.ts';
import { bookmarkOf, toggleBookmark } from '../search/bookmarks.ts';
import { compareAt } from '../search/compared.ts';
import { sharedIds } from '../search/request.ts';
import { showRequest } from '../search/shown-request.ts';
import { search } from '../state/page-state.ts';
import { reportName } from '../state/service.ts';
import { Button } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { COPY_FORMATS } from './copy-formats.ts';

const MAX_IDS = 4;

/** Actions for a record: copies it, or finds the records of the same request. */
export function RecordActions({ record }: { record: LogRecord }): JSX.Element {
  const bookmark = bookmarkOf(record);
  return (
    <footer>
      <span class="dim">Copy as</span>
      {Object.entries(COPY_FORMATS)
        // The other formats contain the address of a server, which a report doesn't have.
        .filter(([label]) => reportName === undefined || label === 'JSON')
        .map(([label, print]) => (
          <CopyButton key={label} label={label} text={() => print(record)} />
        ))}
      {sharedIds(record.row)
        .slice(0, MAX_IDS)
        .map((name) => (
          <Button key={name} class="accent" onClick={() => showRequest(record, name)}>
            All records with this <bdi>{lineText(name, 30)}</bdi>
          </Button>
        ))}
      {bookmark !== undefined && (
        <Button
          title="Bookmarks are part of links (b)"
          aria-pressed={search.value.bookmarks.includes(bookmark)}
          onClick={() => toggleBookmark(record)}
        >
          ★ Bookmark
        </Button>
      )}
      <Button title="What changed at this time, such as a deployment" onClick={() => compareAt(record.time)}>
        Before ↔ after
      </Button>
    </footer>
  );
}
