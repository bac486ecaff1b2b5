import type { JSX } from 'preact';
import { countText } from '../../core/count-text.ts';
import { type RecordError, recordError } from '../../core/records/record-error.ts';
import { TIME_SOURCE } from '../../core/records/record-fields.ts';
import { serverNow } from '../api/server-clock.ts';
import { Button } from '../widgets/button.tsx';
import { memo } from '../widgets/memo.ts';
import { Highlighted } from './highlight.tsx';
import { type LogRecord, messageField, SHARED_ID, tellingFields, toneOf } from './log-record.ts';
import { rankColor } from './rank-color.ts';
import { clockTime, distanceText, fullTime, relativeTime } from './times.ts';
import { firstLine, lineText } from './visible-text.ts';

export interface RecordRowProps {
  readonly record: LogRecord;
  readonly timeZone: string;
  /** What the query finds in a field. */
  readonly patternOf: (field: string) => RegExp | undefined;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly isBookmarked: boolean;
  readonly onToggle: (record: LogRecord) => void;
  /** Shows all records with the ID in a field. */
  readonly onRequest: (record: LogRecord, field: string) => void;
  /** The request to which all records belong. */
  readonly request?: RequestFacts | undefined;
}

/** A request, as far as its rows show it. */
export interface RequestFacts {
  /** The time of its first record, in epoch milliseconds. */
  readonly start: number;
  /** ID of its first record with an error. */
  readonly firstError: string | undefined;
  /** The name of the field that has the ID of the request. */
  readonly fieldOf: (record: LogRecord) => string;
}

/** The attributes of a row, which opens by a click. A click on an ID shows all records of that request. */
export function rowAttributes(props: RecordRowProps) {
  const { record, isOpen, isSelected, isBookmarked, onToggle, onRequest } = props;
  return {
    class: 'row',
    'data-severity': record.severity,
    'data-selected': isSelected || undefined,
    'data-open': isOpen || undefined,
    'data-bookmarked': isBookmarked || undefined,
    onClick: ({ target }: Event): void => {
      const field = (target as Element).closest<HTMLElement>('[data-id-field]')?.dataset.idField;
      // A click at the end of selecting text must not open the record.
      if (getSelection()?.isCollapsed === false) return;
      if (field === undefined) onToggle(record);
      else onRequest(record, field);
    },
  };
}

/** One record on one line: time, level, service, message and the most important fields. */
export const RecordRow = memo(function RecordRow(props: RecordRowProps): JSX.Element {
  const { record, timeZone, patternOf, isOpen, request } = props;
  const error = recordError(record.row);
  const found = request?.fieldOf(record);
  return (
    <div {...rowAttributes(props)}>
      <RecordTime record={record} timeZone={timeZone} start={request?.start} />
      <span class="level small fixed">{lineText(record.level, 12) || '–'}</span>
      {record.service !== '' && <Service name={record.service} />}
      <Button
        class="message"
        aria-expanded={isOpen}
        data-first-error={request?.firstError === record.id || undefined}
      >
        <Message record={record} patternOf={patternOf} />
        {error && <ErrorNote error={error} message={record.message} />}
      </Button>
      <span class="chips">
        {found !== undefined && <span class="chip dim">{lineText(found, 30)}</span>}
        {tellingFields(record, error).map(([name, value]) => {
          if (name === found) return null;
          const isId = request === undefined && SHARED_ID.test(name);
          return (
            <span
              class="chip dim"
              key={name}
              data-tone={toneOf(name, value)}
              data-id-field={isId ? name : undefined}
              title={isId ? `All records with this ${name}` : undefined}
            >
              {lineText(name, 24)}=
              <Highlighted text={firstLine(value, 32)} pattern={patternOf(name)} />
            </span>
          );
        })}
      </span>
    </div>
  );
});

export function Message({ record, patternOf }: Pick<RecordRowProps, 'record' | 'patternOf'>): JSX.Element {
  const pattern = patternOf(messageField(record.row) ?? '');
  return <Highlighted text={firstLine(record.message) || '(no message)'} pattern={pattern} />;
}

interface RecordTimeProps {
  readonly record: LogRecord;
  readonly timeZone: string;
  /** Shows the distance from this time. */
  readonly start?: number | undefined;
}

export function RecordTime({ record, timeZone, start }: RecordTimeProps): JSX.Element {
  const { time } = record;
  const source = record.row[TIME_SOURCE];
  if (source === 'unknown')
    return (
      <span class="time dim small fixed" data-unknown title="No line of the file has a time">
        time unknown
      </span>
    );
  return (
    <time
      class="time dim small fixed"
      data-distance={start !== undefined || undefined}
      data-unknown={source === 'arrival' || undefined}
      // Computed when the pointer is over it, because it changes all the time.
      onMouseEnter={({ currentTarget }) => {
        const arrived = source === 'arrival' ? 'Arrived at ' : '';
        currentTarget.title = `${arrived}${fullTime(time, timeZone)} (${relativeTime(time, serverNow())})`;
      }}
    >
      {start === undefined ? clockTime(time, timeZone) : distanceText(time - start)}
    </time>
  );
}

/** Gives each service its own color until there are none left. */
export function Service({ name }: { name: string }): JSX.Element {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + character.codePointAt(0)!) | 0;
  return (
    <span class="service fixed" {...rankColor(Math.abs(hash))}>
      <bdi>{lineText(name, 24)}</bdi>
    </span>
  );
}

/** `Error: no stock ▸ 14 frames`. */
function ErrorNote({ error, message }: { error: RecordError; message: string }): JSX.Element {
  const [first] = error.sections;
  const frames = error.sections.reduce((sum, section) => sum + section.frames.length, 0);
  const title = first!.title.split('\n', 1)[0]!.trim();
  const isInMessage = title.endsWith(message) || message.includes(title);
  return (
    <span class="stack-note dim">
      {!isInMessage && <bdi>{lineText(title, 120)}</bdi>}
      {frames > 0 && ` ▸ ${countText(frames, 'frame')}`}
    </span>
  );
}
