import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { hasStreams } from '../state/service.ts';
import { Popover } from '../widgets/popover.tsx';
import { type ExportFormat, exportResult } from './export.ts';

/** Saves the whole result as a file. */
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
          <p role="status">{state || (hasStreams.value ? '' : 'Only the rows that the page has loaded')}</p>
        </div>
      )}
    </Popover>
  );
}
