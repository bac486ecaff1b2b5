import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { serverNow } from '../api/server-clock.ts';
import { duration, fullTime, readTime } from '../records/times.ts';
import { search, update } from '../state/page-state.ts';
import { extent, facts } from '../state/results.ts';
import { Button } from '../widgets/button.tsx';
import { Popover } from '../widgets/popover.tsx';
import { setRange } from './change-search.ts';
import { isListLive } from './run-search.ts';
import { isRelative, RANGES } from './time-range.ts';

/** The time range of the search: until now, or between two times. */
export function TimeRangePicker(): JSX.Element {
  return (
    <Popover
      class="time-range"
      title="Time range"
      name={`Time range: ${rangeLabel()}`}
      label={<span>{rangeLabel()} ▾</span>}
    >
      {(close) => (
        <>
          <div class="choices" role="group" aria-label="Until now">
            {RANGES.map(([start, name]) => (
              <Button
                key={start}
                aria-pressed={search.value.start === start && search.value.end === 'now'}
                onClick={() => {
                  setRange(start);
                  close();
                }}
              >
                {name}
              </Button>
            ))}
          </div>
          <FixedRange key={search.value.timeZone} close={close} />
          <ZonePicker />
        </>
      )}
    </Popover>
  );
}

function rangeLabel(): string {
  const { start, end, timeZone } = search.value;
  if (isRelative(search.value)) return RANGES.find(([known]) => known === start)?.[1] ?? `last ${start}`;
  const from = /^\d+$/.test(start) ? fullTime(Number(start), timeZone).slice(5, 19) : start;
  const length = Number(end) - Number(start);
  return Number.isFinite(length) ? `${from} + ${duration(length)}` : `${from} – ${end}`;
}

function FixedRange({ close }: { close: () => void }): JSX.Element {
  const { timeZone } = search.value;
  const known = search.value.start === 'all' ? extent.value : facts.value;
  const now = serverNow();
  const start = known?.start ?? now - 3_600_000;
  const end = known === undefined || isListLive() ? now : known.end;
  const [fromText, setFrom] = useState(toInput(start, timeZone));
  const [toText, setTo] = useState(toInput(end, timeZone));
  const [from, to] = [readTime(fromText, timeZone), readTime(toText, timeZone)];
  const isValid = from <= to;
  return (
    <form
      class="fixed-range"
      onSubmit={(event) => {
        event.preventDefault();
        setRange(String(from), String(to));
        close();
      }}
    >
      {timeInput('From', fromText, setFrom)}
      {timeInput('To', toText, setTo)}
      {!isValid && <p class="problem-text">The start must be before the end.</p>}
      <button type="submit" class="primary" disabled={!isValid}>
        Search this time
      </button>
    </form>
  );
}

function timeInput(label: string, value: string, onChange: (value: string) => void): JSX.Element {
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        step="1"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

/** A time in the format of the input: `2026-11-22T17:05:09`. */
function toInput(time: number, timeZone: string): string {
  return fullTime(time, timeZone).slice(0, 19).replace(' ', 'T');
}

const LOCAL = Intl.DateTimeFormat().resolvedOptions().timeZone;

function ZonePicker(): JSX.Element {
  return (
    <label class="zone">
      Show times in
      <select
        value={search.value.timeZone}
        onChange={({ currentTarget }) => update({ timeZone: currentTarget.value })}
      >
        <option value="">{LOCAL} (this browser)</option>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </select>
    </label>
  );
}
