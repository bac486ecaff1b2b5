import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { cliCommand } from '../detail/copy-formats.ts';
import { fullQuery } from '../search/query-text.ts';
import { interval, isRelative } from '../search/time-range.ts';
import { repository, search } from '../state/page-state.ts';
import { hasStreams, reportName } from '../state/service.ts';
import { CopyButton } from '../widgets/copy-button.tsx';
import { Popover } from '../widgets/popover.tsx';
import { type ExportFormat, exportResult } from './export.ts';

/** Takes the whole result elsewhere: as a file, or as a command. */
export function ExportMenu(): JSX.Element {
  const [state, setState] = useState('');
  const save = (format: ExportFormat, close: () => void): void => {
    setState('Exporting…');
    exportResult(format)
      .then(() => {
        setState('');
        close();
      })
      .catch((error: Error) => setState(error.message));
  };
  return (
    <Popover class="export" side="right" title="Export" label="Export">
      {(close) => (
        <div class="choices">
          <button type="button" onClick={() => save('csv', close)}>
            CSV
          </button>
          <button type="button" onClick={() => save('ndjson', close)}>
            NDJSON
          </button>
          {reportName === undefined && <CopyButton label="Copy as CLI command" text={searchCommand} />}
          <p role="status">
            {state || (hasStreams.value ? '' : 'Files have only the rows that the page has loaded')}
          </p>
        </div>
      )}
    </Popover>
  );
}

function searchCommand(): string {
  const { start, end } = interval(search.value);
  const time = isRelative(search.value) ? `--since ${start}` : `--from ${start} --to ${end}`;
  return cliCommand(fullQuery(search.value), repository.value, time);
}
