import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { countText } from '../../core/count-text.ts';
import { isLoopbackName } from '../../core/loopback.ts';
import { explanationOf } from '../api/http.ts';
import { serverNow } from '../api/server-clock.ts';
import { cliCommand } from '../search/cli-command.ts';
import { readableQuery } from '../search/query-text.ts';
import { isLive } from '../search/run-search.ts';
import { isRelative } from '../search/time-range.ts';
import { http, repository, search } from '../state/page-state.ts';
import { extent, facts } from '../state/results.ts';
import { printState } from '../state/search-state.ts';
import { reportName } from '../state/service.ts';
import { Button } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { Popover } from '../widgets/popover.tsx';
import { type ExportFormat, exportResult } from './export.ts';

const FORMATS: readonly (readonly [ExportFormat, string])[] = [
  ['plain', 'CSV'],
  ['spreadsheet', 'CSV for spreadsheets'],
  ['ndjson', 'NDJSON'],
];

/** Exports the whole result as a file, or copies it as a command or link. */
export function ExportMenu(): JSX.Element {
  const [state, setState] = useState('');
  const [running, setRunning] = useState<AbortController | undefined>(undefined);
  const save = (format: ExportFormat, close: () => void): void => {
    const stop = new AbortController();
    const onProgress = (rows: number): void => setState(`${countText(rows, 'row')} read…`);
    setRunning(stop);
    onProgress(0);
    exportResult({ format, onProgress, signal: stop.signal })
      .then(() => {
        setState('');
        close();
      })
      .catch((error: Error) => setState(stop.signal.aborted ? 'Canceled.' : explanationOf(error)))
      .finally(() => setRunning(undefined));
  };
  const label = running === undefined ? 'Export' : 'Exporting…';
  const command = (): string =>
    cliCommand(readableQuery(search.value), { ...search.value, repository: repository.value });
  return (
    <Popover class="export" title={label} label={label}>
      {(close) => (
        <div class="choices">
          {FORMATS.map(([format, label]) => (
            <Button key={format} disabled={running !== undefined} onClick={() => save(format, close)}>
              {label}
            </Button>
          ))}
          {running !== undefined && <Button onClick={() => running.abort()}>Cancel</Button>}
          {reportName === undefined && (
            <>
              <CopyButton label={isLocal ? 'Copy link for this computer' : 'Copy link'} text={searchLink} />
              <CopyButton label="Copy as CLI command" text={command} />
            </>
          )}
          <p class="dim" role="status">
            {state}
          </p>
        </div>
      )}
    </Popover>
  );
}

/** Whether the page can be reached only from this computer. */
const isLocal = isLoopbackName(new URL(http.baseUrl).hostname);

/** A URL that shows the current result, even if it is opened later. */
function searchLink(): string {
  const state = { ...search.value, repository: repository.value };
  const result = facts.value;
  if (result === undefined || !isRelative(state)) return `${http.baseUrl}#${printState(state)}`;
  const isOfAllTime = state.start === 'all';
  const start = isOfAllTime ? state.start : String(result.start);
  const last = isOfAllTime ? Math.max(serverNow(), extent.value?.end ?? 0) : result.end;
  const end = String(isLive(state) ? serverNow() : last);
  return `${http.baseUrl}#${printState({ ...state, start, end, isLive: false })}`;
}
