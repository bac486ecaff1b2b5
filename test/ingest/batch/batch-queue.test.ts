import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatchQueue } from '../../../src/ingest/batch/batch-queue.ts';
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

it('BatchQueue returns every record once, in order, and in batches within the limits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
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
          expect(textsOf(batch.records())).toEqual(textsOf(taken));
          const changes = taken.filter(({ tagsText }, index) => tagsText !== taken[index - 1]?.tagsText);
          expect(JSON.parse(batch.body.toString())).toHaveLength(changes.length);
          expect(batch.byteLength).toBe(taken.reduce((sum, { byteLength }) => sum + byteLength, 0));
          expect(batch.length).toBeLessThanOrEqual(largest.maxRecords);
          expect(batch.length === 1 || batch.byteLength <= largest.maxBytes).toBe(true);
        } else if ('push' in action) {
          const { size, tags } = action.push;
          const record = createRecord(
            `{"n":${n},"text":"${'é'.repeat(size)}"}`,
            `{"tags":"${'ü'.repeat(tags)}"}`,
          );
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
  expect(textsOf(queue.takeBatch()!.records())).toEqual(textsOf(records.slice(2)));
});
