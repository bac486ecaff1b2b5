import type { JSX } from 'preact';
import { around, type LogRecord, toRecord } from '../records/log-record.ts';
import { RecordTime, Service } from '../records/record-row.tsx';
import { firstLine, lineText } from '../records/visible-text.ts';
import { search, searchResult, update } from '../state/page-state.ts';
import { NO_CONDITIONS } from '../state/search-state.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { Button } from '../widgets/button.tsx';

const NEIGHBORS = 10;
const DISTANCE_MS = 5 * 60_000;
/** The time before and after the record that the button shows. */
const SHOWN_MS = 5_000;

/** The records of all services before and after a record. */
export function RecordsAround({ record }: { record: LogRecord }): JSX.Element {
  const records = useLoaded(record.id, async (signal) => {
    const [start, end] = [record.time - DISTANCE_MS, record.time + DISTANCE_MS];
    const query = { queryString: '', start, end, around: around(record, NEIGHBORS, NEIGHBORS) };
    const { events } = await searchResult({ ...query, signal });
    return events.toReversed().map(toRecord);
  });
  if (records === undefined) return <p class="dim">Searching…</p>;
  if (typeof records === 'string') return <p class="problem-text">{records}</p>;
  const [start, end] = [record.time - SHOWN_MS, record.time + SHOWN_MS];
  const showAll = (): void => update({ ...NO_CONDITIONS, start: String(start), end: String(end) });
  return (
    <>
      <ol class="around">
        {records.map((near) => (
          <li key={near.id} data-severity={near.severity} aria-current={near.id === record.id}>
            <RecordTime record={near} timeZone={search.value.timeZone} />
            <span class="level small fixed">{lineText(near.level, 12) || '–'}</span>
            <Service name={near.service} />
            <bdi>{firstLine(near.message)}</bdi>
          </li>
        ))}
      </ol>
      <Button class="link" onClick={showAll}>
        All records from 5 seconds before to 5 seconds after
      </Button>
    </>
  );
}
