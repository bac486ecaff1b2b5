import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  EVERYTHING,
  filesIn,
  numbersOf,
  openSpool,
  range,
  temporaryFolder,
} from '../../ingest/spool/open-spool.ts';
import { buildProgram, SpoolProcess } from './spool-process.ts';

buildProgram();

/** The destination of the program. */
const destination = { baseUrl: new URL('http://logs.example/'), endpoint: 'ingest', token: 'token' };

/** A process, and what it says about its records. */
async function live(directory: string, first: number, killAt: number) {
  const child = SpoolProcess.start({ directory, task: 'life', first, killAt, segmentBytes: 150 });
  await child.ended;
  const settled = child.lines
    .filter((line) => line.startsWith('settling'))
    .flatMap((line): number[] => JSON.parse(line.slice('settling '.length)));
  return {
    pushed: range(first, child.latest('pushed') ?? first),
    settled,
    killedAt: child.lines.find((line) => line.startsWith('killed')),
    calls: child.latest('calls'),
  };
}

/** Records that a healthy process finds. */
async function drain(directory: string): Promise<number[]> {
  const { spool, lost, troubles } = openSpool({ directory, destination });
  await spool.adopt();
  const numbers = numbersOf(spool.take(EVERYTHING));
  spool.settle(spool.firstNumber);
  spool.close();
  expect(lost).toEqual([]);
  // A write that stopped in the middle is discarded.
  expect(troubles.filter((message) => !/incomplete record/.test(message))).toEqual([]);
  expect(filesIn(directory)).toEqual([]);
  return numbers;
}

function copyOf(template: string): string {
  const directory = temporaryFolder();
  cpSync(template, directory, { recursive: true, filter: (path) => basename(path) !== 'lock.sock' });
  return directory;
}

describe('A process that is killed at any call that changes its spool', () => {
  it('loses no record, whether its own or adopted ones', async () => {
    // Three generations, each of which was killed with the records of the previous ones.
    const template = temporaryFolder();
    const before = new Set<number>();
    for (const [first, killAt] of [
      [0, 14],
      [100, 24],
      [200, 26],
    ] as const) {
      const { pushed, settled } = await live(template, first, killAt);
      for (const n of pushed) before.add(n);
      for (const n of settled) before.delete(n);
    }
    const { calls } = await live(copyOf(template), 1_000, -1);
    expect(calls).toBeGreaterThan(30);
    const killedAt = new Set<string | undefined>();
    for (let call = 1; call <= calls!; call++) {
      const directory = copyOf(template);
      const first = await live(directory, 1_000, call);
      killedAt.add(first.killedAt);
      // The heir is killed, too.
      const second = await live(directory, 2_000, 1 + ((call * 7) % calls!));
      const expected = new Set([...before, ...first.pushed, ...second.pushed]);
      for (const n of [...first.settled, ...second.settled]) expected.delete(n);
      const found = await drain(directory);
      expect({ call, lost: [...expected].filter((n) => !found.includes(n)) }).toEqual({ call, lost: [] });
      expect(new Set(found).size).toBe(found.length);
    }
    // The number of calls depends on the time that they take, so the last ones may not occur.
    const names = [...killedAt].flatMap((line) => line?.replace('killed ', '') ?? []);
    expect(names.sort()).toEqual(
      expect.arrayContaining([
        'closeSync',
        'ftruncateSync',
        'half of writeSync',
        'mkdtempSync',
        'openSync',
        'renameSync',
        'rmdirSync',
        'unlinkSync',
        'writeSync',
      ]),
    );
  });
});
