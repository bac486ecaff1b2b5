import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../src/server/clock.ts';
import { EventBuilder } from '../../src/server/ingest/event-builder.ts';
import { requestReader } from '../../src/server/ingest/request-reader.ts';
import { FormatCache, structuredText } from '../../src/server/ingest/structured-text.ts';
import { DiskFolder } from '../../src/server/node/disk-folder.ts';
import { EventLog } from '../../src/server/node/event-log.ts';
import type { EventBatch } from '../../src/server/store/event-batch.ts';
import { RowBatch } from '../../src/server/store/row-batch.ts';
import type { StoredEvent } from '../../src/server/store/stored-event.ts';
import { anyCharacter, cases } from '../helpers/laws.ts';

const NOW = Date.UTC(2026, 1, 3, 9);
/** Fewer would be stored as rows. */
const MANY = 40;

let folder: string;
let warnings: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'event-log-'));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function openLog(): EventLog {
  return new EventLog({
    folder: DiskFolder.open(folder),
    maxEvents: 1e6,
    maxBytes: 1e9,
    readRequest: requestReader(),
    onWarning: (message) => warnings.push(message),
  });
}

function replayed(): EventBatch[] {
  const batches: EventBatch[] = [];
  openLog().replay((batch) => batches.push(batch));
  return batches;
}

function logged(...batches: readonly EventBatch[]): void {
  const log = openLog();
  for (const batch of batches) log.append(batch);
  log.close();
}

function logFile(): string {
  return join(folder, readdirSync(folder)[0]!);
}

/** The batch of a request, as text. */
function textBatch(request: string): EventBatch {
  const known = new FormatCache();
  const builder = new EventBuilder(createClock(NOW), 1_000_000);
  const reading = structuredText(request, { repository: 'here', builder, formats: known });
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value?.request === undefined ? expect.fail('It is not kept as text.') : value;
  }
}

const rowsOf = (batches: readonly EventBatch[]): StoredEvent[] =>
  batches.flatMap((batch) => Array.from({ length: batch.length }, (_, index) => batch.rowAt(index)));
const weightsOf = (batch: EventBatch): number[] =>
  Array.from({ length: batch.length }, (_, index) => batch.weightAt(index));

const numbered = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({ timestamp: NOW + n, attributes: { n } }));

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom('"', '\n', ',"text":[', '}'),
);
const event = fc.record(
  {
    timestamp: fc.oneof(fc.nat({ max: 2 ** 40 }), fc.constant('2026-02-03T10:00:00.123456+01:00')),
    timezone: fc.constantFrom('Z', 'Europe/Berlin'),
    attributes: fc.dictionary(fc.constantFrom('a', 'b.c', 'ä"'), fc.oneof(text, fc.integer()), {
      maxKeys: 3,
    }),
    rawstring: text,
  },
  { requiredKeys: ['timestamp', 'attributes'] },
);
const group = fc.record({
  tags: fc.dictionary(fc.constantFrom('kind', 'text', 'events'), text),
  events: fc
    .array(event, { minLength: 1, maxLength: 5 })
    .map((events) => Array.from({ length: MANY }, (_, n) => events[n % events.length])),
});

describe('EventLog', () => {
  it('replays events from requests and rows unchanged and in order', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 3 }), fc.boolean(), (groups, isIndented) => {
        const request = JSON.stringify(groups);
        const indented = request.replaceAll('},{"timestamp"', '},\n  {"timestamp"');
        const batch = textBatch(isIndented ? indented : request);
        const rows = new RowBatch(rowsOf([textBatch(JSON.stringify([{ events: numbered(MANY) }]))]));
        logged(rows, batch, rows);
        const found = replayed();
        expect(rowsOf(found)).toEqual(rowsOf([rows, batch, rows]));
        expect(found.map((each) => Object.keys(each.rowAt(0)))).toEqual(
          [rows, batch, rows].map((each) => Object.keys(each.rowAt(0))),
        );
        expect(weightsOf(found[1]!)).toEqual(weightsOf(batch));
        expect(warnings).toEqual([]);
        rmSync(logFile());
      }),
      cases(15),
    );
  });

  it('writes the original text of a request in one line', () => {
    const request = JSON.stringify([{ tags: { kind: 'k' }, events: numbered(1_000) }]);
    logged(textBatch(request));
    const lines = readFileSync(logFile(), 'utf8').split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]!.length - request.length).toBeLessThan(500);
    expect(replayed()).toHaveLength(1);
    expect(replayed()[0]?.request?.text).toBe(request);
  });

  it.each([
    ['an event', (line: string) => line.replace('"n":7}', '"n":7')],
    ['the number of events', (line: string) => line.replace(`"events":${MANY}`, '"events":41')],
    ['what the server has added', (line: string) => line.replace('"envelopes":[{', '"envelopes":[7,{')],
    ['the ids', (line: string) => line.replace('"prefix":"', '"prefix":7,"x":"')],
    ['its head', (line: string) => line.replace('"ids"', 'ids')],
  ])('skips a request with damage in %s, and reports it', (_, damage) => {
    const request = (): EventBatch => textBatch(JSON.stringify([{ events: numbered(MANY) }]));
    logged(request(), request());
    const [first = '', second = ''] = readFileSync(logFile(), 'utf8').split('\n');
    expect(damage(first)).not.toBe(first);
    writeFileSync(logFile(), `${damage(first)}\n${second}\n`);
    expect(replayed().map(({ length }) => length)).toEqual([MANY]);
    const events = damage(first).startsWith('{"events":41') ? 41 : MANY;
    expect(warnings).toEqual([`${logFile()}: skipped 1 damaged line with ${events} events.`]);
  });

  it('cuts off an incomplete request at the end and reports it', () => {
    logged(textBatch(JSON.stringify([{ events: numbered(MANY) }])));
    const whole = readFileSync(logFile(), 'utf8');
    writeFileSync(logFile(), whole + whole.slice(0, -10));
    expect(replayed().map(({ length }) => length)).toEqual([MANY]);
    expect(warnings).toEqual([
      `${logFile()}: cut off ${whole.length - 10} bytes of an incomplete line with ${MANY} events.`,
    ]);
    expect(readFileSync(logFile(), 'utf8')).toBe(whole);
  });
});
