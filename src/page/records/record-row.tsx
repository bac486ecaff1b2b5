import type { JSX } from 'preact';
import { countText } from '../../core/count-text.ts';
import { type RecordError, recordError } from '../../core/records/record-error.ts';
import { TIME_SOURCE } from '../../core/records/record-fields.ts';
import { serverNow } from '../api/server-clock.ts';
import { memo } from '../widgets/memo.ts';
import { Highlighted } from './highlight.tsx';
import { type LogRecord, tellingFields, toneOf } from './log-record.ts';
import { clockTime, fullTime, relativeTime } from './times.ts';
import { lineText } from './visible-text.ts';

export interface RecordRowProps {
  readonly record: LogRecord;
  readonly timeZone: string;
  readonly pattern: RegExp | undefined;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (record: LogRecord) => void;
}

/** One record on one line: time, level, service, message and the most important fields. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps): JSX.Element {
  const { record, timeZone, pattern, isOpen, isSelected, onToggle } = props;
  const error = recordError(record.row);
  return (
    <div
      class="row"
      data-severity={record.severity}
      data-selected={isSelected || undefined}
      data-open={isOpen || undefined}
      onClick={() => {
        // A click at the end of selecting text must not open the record.
        if (getSelection()?.isCollapsed !== false) onToggle(record);
      }}
    >
      <RecordTime record={record} timeZone={timeZone} />
      <span class="level">{lineText(record.level, 12) || '–'}</span>
      {record.service !== '' && <Service name={record.service} />}
      <button type="button" class="message" aria-expanded={isOpen}>
        <Highlighted text={lineText(record.message) || '(no message)'} pattern={pattern} />
        {error && <ErrorNote error={error} message={record.message} />}
      </button>
      <span class="chips">
        {tellingFields(record, error).map(([name, value]) => (
          <span class="chip" key={name} data-tone={toneOf(name, value)}>
            <b>{lineText(name, 24)}</b>
            <bdi>{lineText(value, 32)}</bdi>
          </span>
        ))}
      </span>
    </div>
  );
});

export function RecordTime({ record, timeZone }: Pick<RecordRowProps, 'record' | 'timeZone'>): JSX.Element {
  const { time } = record;
  const source = record.row[TIME_SOURCE];
  if (source === 'unknown')
    return (
      <span class="time" data-unknown title="No line of the file has a time">
        time unknown
      </span>
    );
  return (
    <time
      class="time"
      data-unknown={source === 'arrival' || undefined}
      // Computed when the pointer is over it, because it changes all the time.
      onMouseEnter={({ currentTarget }) => {
        const arrived = source === 'arrival' ? 'Arrived at ' : '';
        currentTarget.title = `${arrived}${fullTime(time, timeZone)} (${relativeTime(time, serverNow())})`;
      }}
    >
      {clockTime(time, timeZone)}
    </time>
  );
}

export function Service({ name }: { name: string }): JSX.Element {
  return (
    <span class="service" data-hue={hueOf(name)}>
      <bdi>{lineText(name, 24)}</bdi>
    </span>
  );
}

const HUES = 8;

/** Gives each service its own color until there are none left. */
function hueOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + character.codePointAt(0)!) | 0;
  return Math.abs(hash) % HUES;
}

/** `Error: no stock ▸ 14 frames`. */
function ErrorNote({ error, message }: { error: RecordError; message: string }): JSX.Element {
  const [first] = error.sections;
  const frames = error.sections.reduce((sum, section) => sum + section.frames.length, 0);
  const firstLine = lineText(first!.title.split('\n', 1)[0]!.trim(), 120);
  return (
    <span class="stack-note">
      {!firstLine.endsWith(lineText(message, 120)) && <bdi>{firstLine}</bdi>}
      {frames > 0 && ` ▸ ${countText(frames, 'frame')}`}
    </span>
  );
}
