import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { BatchQueue } from '../../../src/ingest/batch/batch-queue.ts';
import { batchMemory } from '../../../src/ingest/batch/buffer-pool.ts';
import { createRecord, type IngestRecord } from '../../../src/ingest/record/record.ts';
import { cases } from '../../helpers/laws.ts';

type Step =
  | { push: { size: number; tags: number } }
  | 'shift'
  | 'takeBatch'
  | { maxRecords: number; maxBytes: number };

/** Some need more memory than the initial size of a batch. */
const size = fc.oneof({ weight: 9, arbitrary: fc.nat(300) }, { weight: 1, arbitrary: fc.nat(40_000) });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ push: fc.record({ size, tags: fc.nat(3) }) }) },
  { weight: 2, arbitrary: fc.constant<Step>('shift') },
  { weight: 2, arbitrary: fc.constant<Step>('takeBatch') },
  {
    weight: 1,
    arbitrary: fc.record({
      maxRecords: fc.integer({ min: 1, max: 20 }),
      maxBytes: fc.integer({ min: 1, max: 100_000 }),
    }),
  },
);

function textsOf(records: readonly IngestRecord[]): string[] {
  return records.map(({ eventText, tagsText }) => `${tagsText} ${eventText}`);
}

/** The order in a request: by the first record of each set of tags. */
function grouped(records: readonly IngestRecord[]): IngestRecord[] {
  const tags = [...new Set(records.map(({ tagsText }) => tagsText))];
  return tags.flatMap((text) => records.filter(({ tagsText }) => tagsText === text));
}

it('BatchQueue returns every record once, in order, and in batches within the limits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.boolean(), (steps, isReleased) => {
      const limits = { maxRecords: 10, maxBytes: 1_000 };
      let largest = { ...limits };
      const queue = new BatchQueue(limits);
      const model: IngestRecord[] = [];
      let firstNumber = 0;
      const took = (count: number): IngestRecord[] => {
        firstNumber += count;
        return model.splice(0, count);
      };
      for (const [n, action] of steps.entries()) {
        if (action === 'shift') {
          expect(textsOf(queue.dropOldest())).toEqual(textsOf(took(Math.min(1, model.length))));
        } else if (action === 'takeBatch') {
          const batch = queue.takeBatch();
          expect(batch === undefined).toBe(model.length === 0);
          if (batch === undefined) continue;
          const taken = took(batch.length);
          // If its first records were shifted away, a set of tags may still come first.
          expect(textsOf(batch.records()).sort()).toEqual(textsOf(taken).sort());
          for (const tags of new Set(taken.map(({ tagsText }) => tagsText))) {
            const isOf = ({ tagsText }: IngestRecord): boolean => tagsText === tags;
            expect(textsOf(batch.records().filter(isOf))).toEqual(textsOf(taken.filter(isOf)));
          }
          expect(JSON.parse(batch.body.toString())).toHaveLength(new Set(taken.map((r) => r.tagsText)).size);
          expect(batch.byteLength).toBe(taken.reduce((sum, { byteLength }) => sum + byteLength, 0));
          expect(batch.length).toBeLessThanOrEqual(largest.maxRecords);
          expect(batch.length === 1 || batch.byteLength <= largest.maxBytes).toBe(true);
          if (isReleased) batch.release();
        } else if ('push' in action) {
          const { size, tags } = action.push;
          const record = createRecord(`{"n":${n},"text":"${'é'.repeat(size)}"}`, `{"tags":"${tags}"}`);
          queue.push(record, n);
          model.push(record);
        } else {
          Object.assign(limits, action);
          largest = {
            maxRecords: Math.max(largest.maxRecords, limits.maxRecords),
            maxBytes: Math.max(largest.maxBytes, limits.maxBytes),
          };
        }
        expect(queue.length).toBe(model.length);
        expect(queue.byteLength).toBe(model.reduce((sum, { byteLength }) => sum + byteLength, 0));
        expect(queue.firstNumber).toBe(firstNumber);
        expect(queue.oldestArrival === undefined).toBe(model.length === 0);
      }
    }),
    cases(500),
  );
});

it('BatchQueue returns every record once, in order of its tags, with any number of different tags', () => {
  const number = fc.integer({ min: 95, max: 105 });
  const steps = fc.array(
    fc.oneof({ weight: 4, arbitrary: number }, { weight: 1, arbitrary: fc.constant('shift') }),
  );
  fc.assert(
    fc.property(steps, fc.nat(120), (steps, shifts) => {
      const queue = new BatchQueue({ maxRecords: 1_000, maxBytes: 1_000_000 });
      const model: IngestRecord[] = [];
      const push = (tags: number, n: number): void => {
        const text = 'é'.repeat(n % 40);
        const record = createRecord(
          `{"n":${n},"text":"${text}"}`,
          `{"tags":"${'ü'.repeat(tags % 7)}${tags}"}`,
        );
        queue.push(record, n);
        model.push(record);
      };
      const shift = (): void => expect(queue.dropOldest()[0]?.eventText).toBe(model.shift()?.eventText);
      for (let tags = 0; tags < 100; tags++) push(tags, tags);
      for (const [n, action] of steps.entries()) {
        if (typeof action === 'number') push(action, n);
        else shift();
      }
      for (let count = 0; count < shifts; count++) shift();
      const batch = queue.takeBatch();
      const taken = batch?.records() ?? [];
      expect(textsOf(taken).sort()).toEqual(textsOf(model).sort());
      for (const tags of new Set(model.map(({ tagsText }) => tagsText))) {
        const isOf = ({ tagsText }: IngestRecord): boolean => tagsText === tags;
        expect(textsOf(taken.filter(isOf))).toEqual(textsOf(model.filter(isOf)));
      }
      const groups: { events: unknown[] }[] = JSON.parse(batch?.body.toString() ?? '[]');
      expect(groups.filter(({ events }) => events.length === 0)).toEqual([]);
    }),
  );
});

it('A batch has no more than 100 sections, so that thousands of tags cost as much as one', () => {
  const take = vi.spyOn(batchMemory, 'take');
  const queue = new BatchQueue({ maxRecords: 10_000, maxBytes: 10_000_000 });
  for (let n = 0; n < 5_000; n++) queue.push(createRecord(`{"n":${n}}`, `{"user":"${n}"}`), 0);
  expect(JSON.parse(queue.takeBatch()!.body.toString())).toHaveLength(5_000);
  // Each section takes memory once; the last one grows.
  expect(take.mock.calls.length).toBeLessThan(130);
});

it('BatchQueue has a full batch at maxRecords, or when the next record exceeds maxBytes', () => {
  const queue = new BatchQueue({ maxRecords: 3, maxBytes: 100 });
  const small = createRecord('{"n":1}', '{}');
  queue.push(small, 0);
  queue.push(small, 0);
  expect(queue.hasFullBatch).toBe(false);
  queue.push(small, 0);
  expect(queue.hasFullBatch).toBe(true);
  expect(queue.takeBatch()).toHaveLength(3);
  queue.push(small, 0);
  // The rest goes into the next batch.
  queue.push(createRecord(`{"n":"${'x'.repeat(90)}"}`, '{}'), 0);
  expect(queue.hasFullBatch).toBe(true);
  expect(queue.takeBatch()).toHaveLength(1);
  expect(queue.takeBatch()).toHaveLength(1);
});

it('BatchQueue keeps the order of records with alternating tags', () => {
  const queue = new BatchQueue({ maxRecords: 100, maxBytes: 10_000 });
  const records = [1, 2, 3, 4, 5].map((n) => createRecord(`{"n":${n}}`, `{"odd":"${n % 2}"}`));
  for (const record of records) queue.push(record, 0);
  expect(queue.dropOldest()[0]?.eventText).toBe('{"n":1}');
  expect(queue.dropOldest()).toMatchObject([{ eventText: '{"n":2}', tagsText: '{"odd":"0"}' }]);
  expect(textsOf(queue.takeBatch()!.records())).toEqual(textsOf(grouped(records.slice(2))));
});
