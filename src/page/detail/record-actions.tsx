import type { JSX } from 'preact';
import type { LogRecord } from '../records/log-record.ts';
import { lineText } from '../records/visible-text.ts';
import { isEqual } from '../search/query-text.ts';
import { http, repository, search, update } from '../state/page-state.ts';
import { reportName, serviceUrl } from '../state/service.ts';
import { CopyButton } from '../widgets/copy-button.tsx';
import { COPY_FORMATS } from './copy-formats.ts';

/** Fields that records of one request or trace share. */
const SHARED_ID = /(?:^|[._-])(?:req|request|trace|correlation|session)[._-]?id$/i;
const MAX_IDS = 4;

/** Actions for a record: copies it, or finds the records of the same request. */
export function RecordActions({ record }: { record: LogRecord }): JSX.Element {
  const context = {
    apiUrl: serviceUrl ?? http.baseUrl,
    pageUrl: http.baseUrl,
    repository: repository.value,
    files: search.value.files,
  };
  const ids = Object.keys(record.row).filter((name) => SHARED_ID.test(name) && record.row[name] !== '');
  return (
    <footer>
      <span class="dim">Copy as</span>
      {Object.entries(COPY_FORMATS)
        // The other formats contain the address of a server, which a report doesn't have.
        .filter(([label]) => reportName === undefined || label === 'JSON')
        .map(([label, print]) => (
          <CopyButton key={label} label={label} text={() => print(record, context)} />
        ))}
      {ids.slice(0, MAX_IDS).map((name) => (
        <button
          type="button"
          key={name}
          class="accent"
          onClick={() =>
            update({
              query: '',
              levels: [],
              filters: [{ text: isEqual(name, String(record.row[name])), isOff: false }],
            })
          }
        >
          All records with this <bdi>{lineText(name, 30)}</bdi>
        </button>
      ))}
    </footer>
  );
}
