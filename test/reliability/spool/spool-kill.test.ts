import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  adopted,
  EVERYTHING,
  filesIn,
  numbersOf,
  openSpool,
  range,
  segmentsIn,
  temporaryFolder,
} from '../../ingest/spool/open-spool.ts';
import { buildProgram, SpoolProcess } from './spool-process.ts';

buildProgram();

/** The destination of the program. */
const destination = { baseUrl: new URL('http://logs.example/'), endpoint: 'ingest', token: 'token' };

describe('The spool of a killed process', () => {
  it.each([false, true])('returns accepted records complete and in order (settling: %s)', async (settles) => {
    const directory = temporaryFolder();
    const child = SpoolProcess.start({ directory, task: 'push', settles });
    // At a random point in the middle of its work.
    const enough = 200 + Math.random() * 3_000;
    await child.until(() => ((child.latest('pushed') ?? 0) > enough ? true : undefined));
    await child.kill();
    const accepted = child.latest('pushed')!;
    const settled = child.latest('settled') ?? 0;

    const { spool, lost } = openSpool({ directory, destination });
    const count = await adopted(spool);
    const numbers = numbersOf(spool.take(EVERYTHING));
    expect(numbers).toHaveLength(count);
    const [first = 0] = numbers;
    expect(numbers).toEqual(range(first, first + count));
    expect(first + count).toBeGreaterThanOrEqual(accepted);
    // The killed process may have been one step ahead of its output.
    expect(first).toBeGreaterThanOrEqual(settled);
    expect(first).toBeLessThanOrEqual(settles ? settled + 50 : 0);
    expect(lost).toEqual([]);
    expect(child.lines.filter((line) => /^(trouble|lost)/.test(line))).toEqual([]);
    spool.settle(spool.firstNumber);
    spool.close();
    expect(filesIn(directory)).toEqual([]);
  });

  it('survives several processes that take it over and are killed', async () => {
    const directory = temporaryFolder();
    const first = SpoolProcess.start({ directory, task: 'push' });
    await first.until(() => ((first.latest('pushed') ?? 0) > 500 ? true : undefined));
    await first.kill();
    const accepted = first.latest('pushed')!;
    for (let generation = 0; generation < 4; generation++) {
      const next = SpoolProcess.start({ directory, task: 'adopt' });
      const line = await next.line('adopted');
      expect(JSON.parse(line.split(' ')[2]!).slice(0, accepted)).toEqual(range(0, accepted));
      await next.kill();
    }
    const { spool } = openSpool({ directory, destination });
    await spool.adopt();
    expect(numbersOf(spool.take(EVERYTHING)).slice(0, accepted)).toEqual(range(0, accepted));
  });

  it('is taken over by one of several processes that start at once, without duplicates', async () => {
    const directory = temporaryFolder();
    const dying = range(0, 6).map((index) =>
      SpoolProcess.start({ directory, task: 'push', first: index * 1_000_000, segmentBytes: 5_000 }),
    );
    const living = SpoolProcess.start({ directory, task: 'push', first: 50_000_000 });
    await Promise.all(
      [...dying, living].map((child, index) =>
        child.until(() =>
          (child.latest('pushed') ?? 0) > (index === 6 ? 50_000_300 : index * 1_000_000 + 300)
            ? true
            : undefined,
        ),
      ),
    );
    await Promise.all(dying.map((child) => child.kill()));
    // Processes that start at the same time create the same parent folders.
    expect(dying.flatMap(({ lines }) => lines.filter((line) => /^(trouble|lost)/.test(line)))).toEqual([]);
    const heirs = range(0, 4).map(() => SpoolProcess.start({ directory, task: 'adopt' }));
    const shares = await Promise.all(
      heirs.map(async (heir) => JSON.parse((await heir.line('adopted')).split(' ')[2]!) as number[]),
    );
    const all = shares.flat().sort((a, b) => a - b);
    expect(new Set(all).size).toBe(all.length);
    for (const [index, child] of dying.entries()) {
      const accepted = range(index * 1_000_000, child.latest('pushed')!);
      expect(all.slice(all.indexOf(accepted[0]!)).slice(0, accepted.length)).toEqual(accepted);
    }
    expect(all.at(-1)).toBeLessThan(50_000_000);
  });

  it('is not taken over from a process that is only paused by SIGSTOP', async () => {
    const directory = temporaryFolder();
    const child = SpoolProcess.start({ directory, task: 'push' });
    await child.line('pushed');
    process.kill(child.pid, 'SIGSTOP');
    expect(await adopted(openSpool({ directory, destination }).spool)).toBe(0);
    process.kill(child.pid, 'SIGCONT');
    await child.kill();
    expect(await adopted(openSpool({ directory, destination }).spool)).toBeGreaterThan(0);
  });
});

it('a spool does not keep a process alive, and keeps its records', async () => {
  const directory = temporaryFolder();
  const killed = SpoolProcess.start({ directory, task: 'push' });
  await killed.until(() => ((killed.latest('pushed') ?? 0) > 500 ? true : undefined));
  await killed.kill();
  const child = SpoolProcess.start({ directory, task: 'end', first: 7_000_000 });
  expect(await child.ended).toBe(0);
  const { spool } = openSpool({ directory, destination });
  await spool.adopt();
  const numbers = numbersOf(spool.take(EVERYTHING));
  expect(numbers).toContain(7_000_000);
  expect(numbers).toContain(0);
});

it('a spool continues in another file if a file cannot grow', async () => {
  const directory = temporaryFolder();
  // Segments may be larger than any file.
  const child = SpoolProcess.start({ directory, task: 'push', segmentBytes: 100_000_000 }, 'ulimit -f 2000');
  await child.until(() => (segmentsIn(directory).length > 3 ? true : undefined));
  await child.kill();
  const accepted = child.latest('pushed')!;
  expect(child.lines.filter((line) => line.startsWith('trouble'))).toEqual([]);
  const { spool } = openSpool({ directory, destination });
  await spool.adopt();
  expect(numbersOf(spool.take(EVERYTHING)).slice(0, accepted)).toEqual(range(0, accepted));
});

/** A separate namespace, in which a folder is a disk of 1 MiB; not all systems allow it. */
const SMALL_DISK = 'unshare -Urm sh -c';
const hasSmallDisks =
  spawnSync('sh', ['-c', `${SMALL_DISK} 'mount -t tmpfs -o size=1m tmpfs /mnt'`]).status === 0;

it.skipIf(!hasSmallDisks)(
  'a spool keeps records in memory while the disk is full, and writes them when there is space',
  async () => {
    const directory = temporaryFolder();
    const mount = `exec ${SMALL_DISK} 'mount -t tmpfs -o size=1m tmpfs "${directory}" && exec "$0" "$1"' "$0" "$1"`;
    const child = SpoolProcess.start({ directory, task: 'fill', segmentBytes: 100_000 }, mount);
    const line = await child.line('filled');
    const { inMemory, afterRoom, numbers, troubles, left } = JSON.parse(line.slice('filled '.length));
    expect(inMemory).toBeGreaterThan(10_000);
    expect(afterRoom).toBe(0);
    expect(numbers).toEqual(range(0, numbers.length));
    expect(troubles).toHaveLength(2);
    expect(troubles[0]).toMatch(/^Can't write to the spool .*: ENOSPC.* kept in memory/);
    expect(troubles[1]).toMatch(/is writable again/);
    expect(left).toEqual([]);
  },
);
