import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { HandClock } from '../../helpers/hand-clock.ts';
import {
  DESTINATION,
  EVERYTHING,
  numbersOf,
  openSpool,
  records,
  segmentsIn,
  temporaryFolder,
} from './open-spool.ts';

const HOUR_MS = 3_600_000;
const ROTATED = { ...DESTINATION, token: 'rotated-token' };

it('records under a rotated token are counted, reported every hour, and never sent', async () => {
  const directory = temporaryFolder();
  const old = openSpool({ directory });
  for (const one of records(120)) old.spool.push(one, 0);
  old.spool.take({ maxRecords: 20, maxBytes: 1e9 });
  old.spool.settle(20);
  old.spool.close();

  const clock = new HandClock();
  const { spool, troubles } = openSpool({ directory, destination: ROTATED, clock });
  await spool.adopt();
  expect(spool.strandedRecords).toBe(100);
  expect(spool.length).toBe(0);
  expect(troubles).toEqual([
    expect.stringMatching(
      /^The spool has records in \S+ for another address, repository or token\. .*strandedRecords: 100/,
    ),
  ]);
  expect(troubles[0]).not.toContain('token-');
  clock.move(HOUR_MS - 1);
  await spool.adopt();
  expect(troubles).toHaveLength(1);
  clock.move(1);
  await spool.adopt();
  expect(troubles).toHaveLength(2);

  // A process with the old token drains it.
  const drain = openSpool({ directory });
  await drain.spool.adopt();
  // Its records are not stranded.
  await spool.adopt();
  expect(spool.strandedRecords).toBe(0);
  expect(numbersOf(drain.spool.take(EVERYTHING))).toEqual(records(100, 20).map((_, index) => 20 + index));
});

it('records of a running process for another destination are not stranded', async () => {
  const directory = temporaryFolder();
  const other = openSpool({ directory });
  for (const one of records(3)) other.spool.push(one, 0);
  const { spool, troubles } = openSpool({ directory, destination: ROTATED });
  await spool.adopt();
  expect(spool.strandedRecords).toBe(0);
  expect(troubles).toEqual([]);
});

it('records for another destination that cannot be read are not counted', async () => {
  const directory = temporaryFolder();
  const old = openSpool({ directory });
  for (const one of records(3)) old.spool.push(one, 0);
  old.spool.close();
  mkdirSync(join(dirname(segmentsIn(directory)[0]!), '00000009.log'));
  const { spool } = openSpool({ directory, destination: ROTATED });
  await spool.adopt();
  expect(spool.strandedRecords).toBe(3);
});
