import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeDisk } from '../../../src/core/disk.ts';
import { claimLeftovers } from '../../../src/ingest/spool/leftovers.ts';
import { resolveSpoolOptions } from '../../../src/ingest/spool/spool-options.ts';
import {
  adopted,
  DESTINATION,
  EVERYTHING,
  filesIn,
  numbersOf,
  type OpenedSpool,
  openSpool,
  pushAll,
  range,
  record,
  records,
  segmentsIn,
  temporaryFolder,
} from './open-spool.ts';

describe('Spool options', () => {
  it('have defaults', () => {
    expect(resolveSpoolOptions('Ingester "spool"', { directory: '/var/spool/app' })).toEqual({
      directory: '/var/spool/app',
      maxBytes: 1_073_741_824,
      fsync: 'interval',
      segmentBytes: 8_388_608,
    });
    expect(resolveSpoolOptions('x', { directory: '/a', maxBytes: 1_000_000 }).segmentBytes).toBe(125_000);
  });

  it.each([
    [{}, '"directory" must be a non-empty string'],
    [{ directory: 1 }, '"directory" must be a non-empty string'],
    [{ directory: 'a', maxBytes: -1 }, '"maxBytes" must be a whole number'],
    [{ directory: 'a', fsync: 'sometimes' }, '"fsync" must be one of never, interval, always'],
    [{ directory: 'a', segmentbytes: 1 }, 'Did you mean "segmentBytes"?'],
    ['a', 'the options must be an object'],
  ])('reject %j', (options, message) => {
    expect(() => resolveSpoolOptions('x', options as never)).toThrow(message);
  });
});

it('a spool is readable only by its user and contains no token', async () => {
  const directory = join(temporaryFolder(), 'made', 'here');
  const { spool } = openSpool({ directory });
  pushAll(spool, records(3), 0);
  spool.take({ maxRecords: 1, maxBytes: 1e9 });
  spool.settle(1);
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const stat = statSync(join(directory, name));
    if (stat.isDirectory()) expect([name, stat.mode & 0o777]).toEqual([name, 0o700]);
    if (!stat.isFile()) continue;
    expect([name, stat.mode & 0o777]).toEqual([name, 0o600]);
    expect(readFileSync(join(directory, name), 'utf8')).not.toContain(DESTINATION.token);
  }
  expect(filesIn(directory)).toHaveLength(3);
  expect(readdirSync(directory, { recursive: true }).join()).not.toContain(DESTINATION.token);
});

it('a spool leaves no file behind when all records are settled', async () => {
  const directory = temporaryFolder();
  const { spool } = openSpool({ directory, fsync: 'always' });
  pushAll(spool, records(100), 0);
  spool.take(EVERYTHING);
  spool.settle(100);
  expect(spool.close()).toEqual([]);
  expect(filesIn(directory)).toEqual([]);
});

it('close() can be called again, and later settlements are ignored', async () => {
  const directory = temporaryFolder();
  const { spool } = openSpool({ directory });
  pushAll(spool, records(10), 0);
  expect(spool.close()).toEqual([]);
  expect(spool.close()).toEqual([]);
  spool.settle(10); // Too late: the next owner sends them.
  const next = openSpool({ directory }).spool;
  expect(await adopted(next)).toBe(10);
});

describe('Spooled records for another destination', () => {
  const others = {
    address: { ...DESTINATION, baseUrl: new URL('http://logs.example:4000/') },
    path: { ...DESTINATION, baseUrl: new URL('http://logs.example:3000/logs/') },
    repository: { ...DESTINATION, endpoint: 'repositories/other/ingest' },
    token: { ...DESTINATION, token: 'another-secret' },
  };

  it.each(Object.entries(others))(
    'stay in the spool with one warning if the %s differs',
    async (_, destination) => {
      const directory = temporaryFolder();
      const left = openSpool({ directory }).spool;
      pushAll(left, records(5), 0);
      left.close();
      const { spool, troubles } = openSpool({ directory, destination });
      expect(await adopted(spool)).toBe(0);
      expect(await adopted(spool)).toBe(0);
      expect(troubles).toHaveLength(1);
      expect(troubles[0]).not.toContain('secret');
      // Follow the message.
      const [, from, to] =
        /has records in (\S+) for .* move the contents of that folder to (\S+);/.exec(troubles[0]!) ?? [];
      for (const name of readdirSync(from!)) renameSync(join(from!, name), join(to!, name));
      expect(await adopted(spool)).toBe(5);
    },
  );

  it('cause no warning if they were delivered before their owner died', async () => {
    const directory = temporaryFolder();
    const left = openSpool({ directory }).spool;
    pushAll(left, records(5), 0);
    left.take(EVERYTHING);
    left.settle(5);
    const copy = join(temporaryFolder(), 'spool');
    cpSync(directory, copy, { recursive: true, filter: (source) => !source.endsWith('.sock') });
    expect(segmentsIn(copy)).toHaveLength(1);
    const { spool, troubles } = openSpool({ directory: copy, destination: others.token });
    await spool.adopt();
    expect(troubles).toEqual([]);
  });

  it('cause no warning while their owner is alive', async () => {
    const directory = temporaryFolder();
    pushAll(openSpool({ directory }).spool, records(5), 0);
    const { spool, troubles } = openSpool({ directory, destination: others.token });
    expect(await adopted(spool)).toBe(0);
    expect(troubles).toEqual([]);
  });
});

it('claimLeftovers() skips the directory of an owner that starts during the search', async () => {
  const folder = temporaryFolder();
  const young = join(folder, 'young');
  const own = join(folder, 'own');
  mkdirSync(young);
  mkdirSync(own);
  const claimed = claimLeftovers(
    { disk: nodeDisk, folder, into: own, onStuck: expect.fail },
    Date.now(),
  ).next();
  // The lock was requested before it existed.
  writeFileSync(join(young, '00000001.log'), 'a record\n');
  expect((await claimed).done).toBe(true);
  expect(existsSync(young)).toBe(true);
});

it('claimLeftovers() removes a directory without records after a minute, because its owner may be starting', async () => {
  const folder = temporaryFolder();
  const [young, old, own] = ['young', 'old', 'own'].map((name) => join(folder, name));
  for (const path of [young, old, own]) mkdirSync(path!);
  const longAgo = Date.now() / 1_000 - 61;
  utimesSync(old!, longAgo, longAgo);
  expect(
    (await claimLeftovers({ disk: nodeDisk, folder, into: own!, onStuck: expect.fail }, Date.now()).next())
      .done,
  ).toBe(true);
  expect([young, old].map((path) => existsSync(path!))).toEqual([true, false]);
});

it('a spool adopts records up to maxBytes, and the rest later', async () => {
  const directory = temporaryFolder();
  for (let owner = 0; owner < 4; owner++) {
    const { spool } = openSpool({ directory, segmentBytes: 2_000 });
    for (const one of records(100, owner * 100)) spool.push(one, 0);
    spool.close();
  }
  let takenBytes = 0;
  const { spool }: OpenedSpool = openSpool({
    directory,
    maxBytes: 5_000,
    openBytes: () => spool.byteLength + takenBytes,
  });
  const numbers: number[] = [];
  for (;;) {
    const count = await adopted(spool);
    expect(spool.byteLength).toBeLessThanOrEqual(5_000);
    if (count === 0) break;
    takenBytes = spool.byteLength;
    numbers.push(...numbersOf(spool.take(EVERYTHING)));
    expect(await adopted(spool)).toBe(0);
    spool.settle(spool.firstNumber);
    takenBytes = 0;
  }
  expect(numbers.sort((a, b) => a - b)).toEqual(range(0, 400));
  spool.close();
  expect(filesIn(directory)).toEqual([]);
});

it('adopted records follow earlier records of the spool and precede later ones', async () => {
  const directory = temporaryFolder();
  const left = openSpool({ directory, segmentBytes: 500 }).spool;
  for (const n of range(100, 150)) left.push(record(n), 0);
  left.close();
  const { spool } = openSpool({ directory });
  pushAll(spool, records(3), 0);
  const adopting = adopted(spool);
  expect(await adopting).toBe(50);
  pushAll(spool, records(3, 3), 0);
  const expected = [0, 1, 2, ...range(100, 150), 3, 4, 5];
  expect(numbersOf(spool.take({ maxRecords: 20, maxBytes: 1e9 }))).toEqual(expected.slice(0, 20));
  spool.settle(20);
  spool.take({ maxRecords: 5, maxBytes: 1e9 }); // In flight at the end, so they are sent again.
  spool.close();
  const next = openSpool({ directory }).spool;
  expect(await adopted(next)).toBe(36);
  expect(numbersOf(next.take(EVERYTHING)).sort((a, b) => a - b)).toEqual(
    expected.slice(20).sort((a, b) => a - b),
  );
  next.settle(next.firstNumber);
  next.close();
  expect(filesIn(directory)).toEqual([]);
});

it.each(['EXDEV', 'EPERM', 'EACCES'])(
  'a leftover that can not be moved (%s) is reported once and counted',
  async (code) => {
    const directory = temporaryFolder();
    const left = openSpool({ directory }).spool;
    pushAll(left, records(5), 0);
    left.close();
    const own = dirname(segmentsIn(directory)[0]!);
    let isStuck = true;
    const rename = (from: string, to: string): void => {
      if (isStuck) throw Object.assign(new Error(`${code}: a reason, rename '${from}'`), { code });
      nodeDisk.rename(from, to);
    };
    const { spool, troubles } = openSpool({ directory, disk: { ...nodeDisk, rename } });
    for (let run = 0; run < 3; run++) expect(await adopted(spool)).toBe(0);
    expect(spool.strandedRecords).toBe(5);
    expect(troubles).toEqual([
      `The spool can't take over ${own} of a process that has exited: ${code}: a reason, rename '${own}'. Its records are kept but not sent (stats.strandedRecords). Let this user write to that folder, or replace it with a copy, which can be moved.`,
    ]);
    // Follow the message.
    cpSync(own, `${own}-copy`, { recursive: true });
    rmSync(own, { recursive: true });
    isStuck = false;
    expect(await adopted(spool)).toBe(5);
    expect(spool.strandedRecords).toBe(0);
  },
);

it('a directory is adopted only once, even within one process', async () => {
  const directory = temporaryFolder();
  const left = openSpool({ directory }).spool;
  pushAll(left, records(50), 0);
  left.close();
  const heirs = range(0, 5).map(() => openSpool({ directory }).spool);
  const counts = await Promise.all(heirs.flatMap((heir) => [adopted(heir), adopted(heir)]));
  expect(heirs.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 50]);
  expect(Math.max(...counts)).toBe(50);
});

it('a spool works in a directory with a long path', async () => {
  const directory = join(temporaryFolder(), ...range(0, 5).map(() => 'a-long-name-'.repeat(8)));
  const { spool, troubles } = openSpool({ directory });
  pushAll(spool, records(5), 0);
  const other = openSpool({ directory }).spool;
  expect(await adopted(other)).toBe(0);
  spool.close();
  expect(await adopted(other)).toBe(5);
  expect(troubles).toEqual([]);
});

describe('Spool on a failing disk', () => {
  it('reports the failure once and keeps records in memory until the disk recovers', async () => {
    const root = temporaryFolder();
    const directory = join(root, 'spool');
    writeFileSync(directory, 'a file where the folder should be');
    let now = 10_000;
    const clock = { now: () => now, startTimer: () => ({ cancel() {} }) };
    const { spool, troubles } = openSpool({ directory, clock });
    expect(troubles).toHaveLength(1);
    expect(troubles[0]).toMatch(/^Can't write to the spool .* kept in memory/);
    for (const n of range(0, 5)) spool.push(record(n), now);
    pushAll(spool, records(5, 5), now);
    expect(spool).toMatchObject({ length: 10, firstNumber: 0 });
    expect(spool.memoryBytes).toBe(spool.byteLength);
    expect(await adopted(spool)).toBe(0);
    expect(numbersOf(spool.take({ maxRecords: 3, maxBytes: 1e9 }))).toEqual([0, 1, 2]);
    spool.settle(1);
    now += 1_000;
    expect(await adopted(spool)).toBe(0);
    expect(spool.memoryBytes).toBeGreaterThan(0);
    expect(troubles).toHaveLength(1);

    rmSync(directory);
    now += 1_000;
    expect(await adopted(spool)).toBe(0);
    expect(spool.memoryBytes).toBe(0);
    expect(troubles).toHaveLength(2);
    expect(troubles[1]).toMatch(/is writable again/);
    spool.push(record(10), now);
    expect(spool).toMatchObject({ length: 8, firstNumber: 3 });
    expect(spool.close()).toEqual([]);
    // Includes records in flight from memory.
    const next = openSpool({ directory }).spool;
    await next.adopt();
    expect(numbersOf(next.take(EVERYTHING)).sort((a, b) => a - b)).toEqual(range(0, 11));
  });

  it('tries the disk again after 1 s and not before', () => {
    const root = temporaryFolder();
    const directory = join(root, 'spool');
    writeFileSync(directory, 'a file where the folder should be');
    const clock = { now: () => 10_000, startTimer: () => ({ cancel() {} }) };
    const { spool } = openSpool({ directory, clock });
    rmSync(directory);
    spool.push(record(0), 10_900);
    expect(spool.memoryBytes).toBeGreaterThan(0);
    spool.push(record(1), 11_000);
    expect(spool.memoryBytes).toBe(0);
    expect(numbersOf(spool.take(EVERYTHING))).toEqual([0, 1]);
  });

  it('returns from close() the records that could not be written', async () => {
    const directory = join(temporaryFolder(), 'spool');
    writeFileSync(directory, 'a file where the folder should be');
    const { spool } = openSpool({ directory });
    for (const n of range(0, 6)) spool.push(record(n), 0);
    spool.take({ maxRecords: 2, maxBytes: 1e9 });
    spool.settle(2);
    spool.take({ maxRecords: 2, maxBytes: 1e9 });
    expect(numbersOf(spool.close())).toEqual([2, 3, 4, 5]);
    expect(spool.close()).toEqual([]);
  });

  it('continues in a new directory after its directory was removed', async () => {
    const directory = temporaryFolder();
    const { spool, troubles } = openSpool({ directory });
    spool.push(record(0), Date.now());
    rmSync(directory, { recursive: true });
    const later = Date.now() + 2_000;
    spool.push(record(1), later);
    expect(troubles).toEqual([expect.stringMatching(/^The spool directory .* was removed/)]);
    spool.push(record(2), later);
    expect(segmentsIn(directory)).toHaveLength(1);
    // The first one is in a deleted file.
    expect(numbersOf(spool.take({ maxRecords: 2, maxBytes: 1e9 }))).toEqual([0, 1]);
    spool.settle(2);
    spool.close();
    const next = openSpool({ directory }).spool;
    expect(await adopted(next)).toBe(1);
    expect(numbersOf(next.take(EVERYTHING))).toEqual([2]);
  });

  it('a spool reports at close that its directory was removed', async () => {
    const directory = temporaryFolder();
    const { spool, troubles } = openSpool({ directory });
    spool.push(record(0), Date.now());
    rmSync(directory, { recursive: true });
    spool.close();
    expect(troubles).toEqual([expect.stringMatching(/^The spool directory .* was removed/)]);
  });

  it('reports unreadable leftovers and keeps its own records', async () => {
    const directory = temporaryFolder();
    const { spool, troubles } = openSpool({ directory });
    spool.push(record(0), 0);
    const own = dirname(segmentsIn(directory)[0]!);
    // A leftover whose segment is not a file.
    mkdirSync(join(dirname(own), 'a-dead-one', '00000001.log'), { recursive: true });
    writeFileSync(join(dirname(own), 'a-dead-one', '00000002.log'), 'nonsense\n');
    expect(await adopted(spool)).toBe(0);
    expect(troubles.join('\n')).toMatch(/can't read/);
    expect(troubles.join('\n')).toMatch(/1 damaged line /);
    expect(numbersOf(spool.take(EVERYTHING))).toEqual([0]);
  });
});
