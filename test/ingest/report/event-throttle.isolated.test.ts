import { describe, expect, it } from 'vitest';
import { processExit, resumeProcess } from '../../../src/ingest/process/process-exit.ts';
import type { DeliveryEvent } from '../../../src/ingest/report/delivery-event.ts';
import { EventThrottle } from '../../../src/ingest/report/event-throttle.ts';
import type { IngesterStats } from '../../../src/ingest/report/ingester-stats.ts';
import { NO_RECORDS } from '../../../src/ingest/report/ingester-stats.ts';
import { HandClock } from '../../helpers/hand-clock.ts';

function start(): {
  clock: HandClock;
  events: DeliveryEvent[];
  reporter: EventThrottle;
  become: (stats: Partial<IngesterStats>) => void;
} {
  const clock = new HandClock();
  const events: DeliveryEvent[] = [];
  let stats = NO_RECORDS;
  const reporter = new EventThrottle(
    (event) => void events.push(event),
    () => stats,
    { clock, exit: processExit },
  );
  const become = (changed: Partial<IngesterStats>): void => {
    stats = { ...stats, ...changed };
  };
  return { clock, events, reporter, become };
}

describe('EventThrottle', () => {
  it('combines the drops within 100 ms by reason', () => {
    const { clock, events, reporter } = start();
    for (let n = 0; n < 1_000; n++) reporter.dropped({ reason: 'overflow', records: 1 });
    reporter.dropped({ reason: 'rejected', records: 2 });
    expect(events).toEqual([]);
    clock.move(100);
    expect(events).toEqual([
      { name: 'drop', value: { reason: 'overflow', records: 1_000 } },
      { name: 'drop', value: { reason: 'rejected', records: 2 } },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('emits drops with the reason closed immediately, after the combined ones', () => {
    const { events, reporter } = start();
    reporter.dropped({ reason: 'overflow', records: 1 });
    reporter.dropped({ reason: 'closed', records: 2 });
    expect(events.map(({ value }) => value)).toEqual([
      { reason: 'overflow', records: 1 },
      { reason: 'closed', records: 2 },
    ]);
  });

  it('emits combined drops at exit, and those after it immediately', () => {
    const { events, reporter } = start();
    reporter.dropped({ reason: 'overflow', records: 3 });
    process.listeners('exit').at(-1)?.(0);
    expect(events.map(({ value }) => value)).toEqual([{ reason: 'overflow', records: 3 }]);
    reporter.dropped({ reason: 'overflow', records: 4 });
    expect(events.at(-1)?.value).toEqual({ reason: 'overflow', records: 4 });
    resumeProcess();
  });

  it('do not loop if a listener logs each drop', () => {
    const clock = new HandClock();
    let reported = 0;
    const reporter: EventThrottle = new EventThrottle(
      ({ value }) => {
        reported += (value as { records: number }).records;
        reporter.dropped({ reason: 'closed', records: 1 });
      },
      () => NO_RECORDS,
      { clock, exit: processExit },
    );
    reporter.dropped({ reason: 'closed', records: 1 });
    expect(reported).toBe(1);
    clock.move(100);
    expect(reported).toBe(2);
  });

  it('emits changed stats once per second until everything is delivered', () => {
    const { clock, events, reporter, become } = start();
    reporter.added();
    become({ accepted: 3, queuedRecords: 3 });
    reporter.added();
    clock.move(999);
    expect(events).toEqual([]);
    clock.move(1);
    expect(events).toHaveLength(1);
    clock.move(1_000); // Nothing has changed.
    expect(events).toHaveLength(1);
    become({ delivered: 3, queuedRecords: 0 });
    clock.move(1_000);
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({ name: 'stats', value: { accepted: 3, delivered: 3 } });
    expect(clock.pending).toBe(0);
  });

  it('keeps emitting stats while records wait in the spool', () => {
    const { clock, events, reporter, become } = start();
    reporter.added();
    become({ accepted: 3, spooledRecords: 3 });
    clock.move(1_000);
    expect(clock.pending).toBe(1);
    become({ delivered: 3, spooledRecords: 0 });
    clock.move(1_000);
    expect(events.at(-1)).toMatchObject({ name: 'stats', value: { delivered: 3, spooledRecords: 0 } });
    expect(clock.pending).toBe(0);
  });
});
