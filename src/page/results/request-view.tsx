import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { countText } from '../../core/count-text.ts';
import type { LogRecord } from '../records/log-record.ts';
import { Service } from '../records/record-row.tsx';
import { distanceText, duration } from '../records/times.ts';
import { firstLine, lineText } from '../records/visible-text.ts';
import { loadOlder } from '../search/load-older.ts';
import { requestParts } from '../search/request.ts';
import { revealedRecord, toggleRecord } from '../search/selection.ts';
import type { ShownRequest } from '../search/shown-request.ts';
import { hasOlder, matches } from '../state/results.ts';
import { Button } from '../widgets/button.tsx';

/** A request with more records is shown from the newest ones. */
const MAX_RECORDS = 2000;

/** When each service worked on a request, and its first error. */
export function RequestView({ request }: { request: ShownRequest }): JSX.Element {
  const { id, records, start: first } = request;
  const error = records.find((record) => record.id === request.firstError);
  const parts = useMemo(() => requestParts(records), [records]);
  useEffect(() => {
    if (hasOlder.value && records.length < MAX_RECORDS) void loadOlder();
  }, [records, hasOlder.value]);
  const start = parts[0]?.start ?? 0;
  const length = Math.max(1, ...parts.map(({ end }) => end - start));
  const share = (ms: number): string => `${(100 * ms) / length}%`;
  const reveal = (record: LogRecord): void => {
    toggleRecord(record);
    revealedRecord.value = record.id;
  };
  return (
    <section class="request fixed" aria-label="Services of the request">
      <p>
        <b>
          <code>{lineText(id, 60)}</code>
        </b>{' '}
        <span class="dim">
          {parts.length > 0 && `${summary(records.length, parts.length)} · ${duration(length)}`}
        </span>{' '}
        {error !== undefined && (
          <Button class="link" onClick={() => reveal(error)}>
            First error, {distanceText(error.time - first)}: <bdi>{firstLine(error.message, 80)}</bdi>
          </Button>
        )}
      </p>
      <ol>
        {parts.map((part) => (
          <li key={part.service} data-severity={part.hasError ? 'error' : 'info'}>
            <Service name={part.service || '(no service)'} />
            <span class="lane">
              <i
                style={{ left: share(part.start - start), width: share(part.end - part.start) }}
                title={`${countText(part.records, 'record')}, from ${distanceText(part.start - first)} to ${distanceText(part.end - first)}`}
              />
            </span>
            <span class="dim">{part.end > part.start ? duration(part.end - part.start) : '–'}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function summary(shown: number, services: number): string {
  const all = hasOlder.value
    ? `newest ${shown.toLocaleString('en')} of ${countText(matches.value, 'record')}`
    : '';
  return `${all || countText(shown, 'record')} in ${countText(services, 'service')}`;
}
