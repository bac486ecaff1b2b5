import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { recordError } from '../../core/records/record-error.ts';
import { TIME_SOURCE } from '../../core/records/record-fields.ts';
import { serverNow } from '../api/server-clock.ts';
import { CutText } from '../records/cut-text.tsx';
import { JsonView, parseJson } from '../records/json-view.tsx';
import type { LogRecord } from '../records/log-record.ts';
import { fullTime, relativeTime } from '../records/times.ts';
import { rawText } from '../records/visible-text.ts';
import { search } from '../state/page-state.ts';
import { CloseButton } from '../widgets/close-button.tsx';
import { Tabs } from '../widgets/tabs.tsx';
import { loggedJson } from './copy-formats.ts';
import { FieldTable } from './field-table.tsx';
import { RecordActions } from './record-actions.tsx';
import { RecordsAround } from './records-around.tsx';
import { StackView } from './stack-view.tsx';

const RAW_LENGTH = 10_000;

const TABS = ['Record', 'Fields', 'Stack', 'Around', 'Raw'] as const;

/** The details of one record, below its row. */
export function RecordDetail({ record, onClose }: { record: LogRecord; onClose: () => void }): JSX.Element {
  const sections = recordError(record.row)?.sections ?? [];
  const names = TABS.filter((name) => name !== 'Stack' || sections.length > 0);
  const hasFrames = sections.some(({ frames }) => frames.length > 0);
  const [tab, setTab] = useState<(typeof TABS)[number]>(hasFrames ? 'Stack' : 'Record');
  const { timeZone } = search.value;
  const raw = String(record.row['@rawstring'] ?? '');
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [record.id]);
  return (
    <section class="detail" ref={section} aria-label="Record" data-severity={record.severity}>
      <header>
        <Tabs names={names} selected={tab} onSelect={setTab} label="Parts of the record" />
        <span class="dim detail-time small">
          {record.row[TIME_SOURCE] === 'unknown'
            ? 'time unknown'
            : `${fullTime(record.time, timeZone)} · ${relativeTime(record.time, serverNow())}`}
        </span>
        <CloseButton label="Close the record" onClick={onClose} />
      </header>
      <div class="detail-body" role="tabpanel" aria-label={tab}>
        {tab === 'Record' && <JsonView value={parseJson(loggedJson(record))} />}
        {tab === 'Fields' && <FieldTable record={record} />}
        {tab === 'Stack' && <StackView sections={sections} />}
        {tab === 'Around' && <RecordsAround record={record} />}
        {tab === 'Raw' && (
          <CutText text={raw} length={RAW_LENGTH}>
            {(length) => (
              <pre class="raw">
                <bdi>{rawText(raw, length)}</bdi>
              </pre>
            )}
          </CutText>
        )}
      </div>
      <RecordActions record={record} />
    </section>
  );
}
