import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Highlighted } from '../records/highlight.tsx';
import { Service } from '../records/record-row.tsx';
import { groupSimilar } from '../records/similar.ts';
import { shortTime } from '../records/times.ts';
import { lineText } from '../records/visible-text.ts';
import { search, update } from '../state/page-state.ts';
import { hasOlder, records } from '../state/results.ts';
import { openRecord, revealedRecord, selectedRecord } from '../state/selection.ts';

const SHOWN = 200;

/** Similar records as one line each, with their number. A click shows the newest one in the list. */
export function Patterns(): JSX.Element {
  const groups = useMemo(() => groupSimilar(records.value), [records.value]);
  const most = groups[0]?.count ?? 1;
  const open = (id: string): void => {
    selectedRecord.value = id;
    openRecord.value = id;
    revealedRecord.value = id;
    update({ view: 'list' });
  };
  return (
    <div class="scroller" tabIndex={0} role="region" aria-label="Similar records">
      {hasOlder.value && (
        <p class="sample-note">Of the newest {records.value.length.toLocaleString('en')} records only.</p>
      )}
      <ol class="patterns">
        {groups.slice(0, SHOWN).map(({ key, count, newest }) => (
          <li key={key} data-severity={newest.severity}>
            <span class="count">
              <i style={{ width: `${(100 * count) / most}%` }} />
              {count.toLocaleString('en')}
            </span>
            <span class="level">{lineText(newest.level, 12) || '–'}</span>
            {newest.service !== '' && <Service name={newest.service} />}
            <button type="button" class="message" onClick={() => open(newest.id)}>
              <Highlighted text={lineText(newest.message)} pattern={undefined} />
            </button>
            <span class="dim">last {shortTime(newest.time, search.value.timeZone, Date.now())}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
