import { statSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecord, type IngestRecord } from '../../../src/ingest/record/record.ts';
import { RecordQueue } from '../../../src/ingest/spool/record-queue.ts';
import { anyCharacter, cases } from '../../helpers/laws.ts';
import {
  adopted,
  EVERYTHING,
  filesIn,
  numbersOf,
  openSpool,
  pushAll,
  range,
  record,
  records,
  segmentsIn,
  temporaryFolder,
} from './open-spool.ts';

const ONE = { maxRecords: 1, maxBytes: 0 };
const TWO = { maxRecords: 2, maxBytes: 1_000 };

type Step =
  | { push: number }
  | { pushAll: number[] }
  | { together: number[] }
  | { take: { maxRecords: number; maxBytes: number } }
  | 'shift'
  | { settle: number }
  | 'reopen'
  | 'sibling';

const size = fc.integer({ min: 0, max: 300 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ push: size }) },
  { weight: 3, arbitrary: fc.record({ pushAll: fc.array(size, { maxLength: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ together: fc.array(size, { maxLength: 30 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      take: fc.record({
        maxRecords: fc.integer({ min: 1, max: 40 }),
        maxBytes: fc.integer({ min: 1, max: 4_000 }),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>('shift') },
  { weight: 2, arbitrary: fc.record({ settle: fc.integer({ min: 0, max: 60 }) }) },
  { weight: 1, arbitrary: fc.constant<Step>('reopen') },
  { weight: 1, arbitrary: fc.constant<Step>('sibling') },
);

/** The expected content of a spool: a queue in memory, and the records that were taken and are not settled. */
class Model {
  queue = new RecordQueue();
  firstNumber = 0;
  taken: { number: number; records: IngestRecord[] }[] = [];

  take(taken: IngestRecord[]): void {
    if (taken.length === 0) return;
    this.firstNumber += taken.length;
    this.taken.push({ number: this.firstNumber, records: taken });
  }

  settle(before: number): void {
    while (this.taken[0] !== undefined && this.taken[0].number <= before) this.taken.shift();
  }

  /** All records that are not settled are returned again. */
  reopen(): number {
    const again = [...this.taken.flatMap((mark) => mark.records), ...this.queue.take(EVERYTHING)];
    this.taken = [];
    this.queue = new RecordQueue();
    this.firstNumber = 0;
    for (const one of again) this.queue.push(one);
    return again.length;
  }
}

it('a spool behaves like a queue in memory and leaves unsettled records to the next owner', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.constantFrom(1, 500, 3_000, 1_000_000),
      fc.constantFrom('never' as const, 'interval' as const),
      async (steps, segmentBytes, fsync) => {
        const directory = temporaryFolder();
        const model = new Model();
        let { spool, troubles, lost } = openSpool({ directory, segmentBytes, fsync });
        let n = 0;
        const make = (length: number): IngestRecord => record(n++, 'ü'.repeat(length));
        for (const action of steps) {
          if (action === 'shift') {
            const shifted = model.queue.take(ONE);
            expect(spool.take(ONE)).toEqual(shifted);
            model.take(shifted);
          } else if (action === 'reopen') {
            expect(spool.close()).toEqual([]);
            expect([...troubles, ...lost]).toEqual([]);
            ({ spool, troubles, lost } = openSpool({ directory, segmentBytes, fsync }));
            expect(await adopted(spool)).toBe(model.reopen());
          } else if (action === 'sibling') {
            const sibling = openSpool({ directory }).spool;
            expect(await adopted(sibling)).toBe(0);
            sibling.close();
          } else if ('push' in action) {
            const one = make(action.push);
            spool.push(one, n);
            model.queue.push(one);
          } else if ('pushAll' in action) {
            const many = action.pushAll.map(make);
            pushAll(spool, many, n);
            for (const one of many) model.queue.push(one);
          } else if ('together' in action) {
            spool.batchWrites(() => {
              for (const one of action.together.map(make)) {
                spool.push(one, n);
                model.queue.push(one);
                expect(spool).toMatchObject({
                  length: model.queue.length,
                  byteLength: model.queue.byteLength,
                });
              }
              const taken = model.queue.take(TWO);
              expect(spool.take(TWO)).toEqual(taken);
              model.take(taken);
            });
          } else if ('take' in action) {
            const taken = model.queue.take(action.take);
            expect(spool.take(action.take)).toEqual(taken);
            model.take(taken);
          } else {
            const before = Math.max(0, model.firstNumber - action.settle);
            spool.settle(before);
            model.settle(before);
          }
          const { firstNumber } = model;
          const { length, byteLength } = model.queue;
          expect(spool).toMatchObject({ length, byteLength, firstNumber, memoryBytes: 0 });
          expect(spool.oldestArrival === undefined).toBe(length === 0);
        }
        const rest = model.queue.take(EVERYTHING);
        expect(spool.take(EVERYTHING)).toEqual(rest);
        spool.settle(spool.firstNumber);
        expect(spool.close()).toEqual([]);
        expect(filesIn(directory)).toEqual([]);
        expect([...troubles, ...lost]).toEqual([]);
      },
    ),
    cases(12),
  );
});

it('a spool returns any text as UTF-8, with newlines as spaces', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 200 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (texts) => {
      const { spool } = openSpool({ directory: temporaryFolder() });
      const pushed = texts.map(([event, tags]) => createRecord(event, tags));
      pushAll(spool, pushed, 0);
      const bytes = (value: string): string => Buffer.from(value).toString();
      expect(spool.take(EVERYTHING)).toEqual(
        pushed.map(({ eventText, tagsText, byteLength }) => ({
          eventText: bytes(eventText.replaceAll('\n', ' ')),
          tagsText: bytes(tagsText.replaceAll(/[\n\t]/g, ' ')),
          byteLength,
        })),
      );
      spool.close();
    }),
    cases(15),
  );
});

it('a spool keeps records that are larger than segmentBytes', async () => {
  const directory = temporaryFolder();
  const { spool } = openSpool({ directory, segmentBytes: 1_000 });
  const large = [10, 3_000_000, 10, 150_000, 5_000_000].map((length, n) => record(n, 'x'.repeat(length)));
  for (const one of large) spool.push(one, 0);
  spool.close();
  const next = openSpool({ directory }).spool;
  expect(await adopted(next)).toBe(large.length);
  expect(next.take(EVERYTHING)).toEqual(large);
});

it('oldestArrival is never later than the arrival of the oldest record', () => {
  const { spool } = openSpool({ directory: temporaryFolder() });
  for (let at = 0; at < 5_000; at++) spool.push(record(at), at * 30);
  for (let at = 0; at < 5_000; at++) {
    expect(spool.oldestArrival).toBeLessThanOrEqual(at * 30);
    spool.take(ONE);
  }
  expect(spool.oldestArrival).toBeUndefined();
  spool.push(record(0), 1_000_000);
  expect(spool.oldestArrival).toBe(1_000_000);
});

it('a spool removes segments when their records are settled', () => {
  const directory = temporaryFolder();
  const { spool } = openSpool({ directory, segmentBytes: 2_000, fsync: 'never' });
  pushAll(spool, records(50), 0);
  for (const n of range(50, 1_000)) spool.push(record(n), 0);
  const diskBytes = (): number => segmentsIn(directory).reduce((sum, path) => sum + statSync(path).size, 0);
  const before = diskBytes();
  expect(before).toBeGreaterThan(40_000);
  expect(numbersOf(spool.take({ maxRecords: 900, maxBytes: Number.POSITIVE_INFINITY }))).toEqual(
    range(0, 900),
  );
  expect(diskBytes()).toBe(before);
  spool.settle(spool.firstNumber);
  expect(diskBytes()).toBeLessThan(before / 5);
});
