import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../helpers/laws.ts';
import {
  adopted,
  EVERYTHING,
  filesIn,
  numbersOf,
  openSpool,
  range,
  record,
  records,
  segmentsIn,
  temporaryFolder,
} from '../../ingest/spool/open-spool.ts';

/** A spool's directory that contains records. */
async function leftBehind(
  count: number,
  segmentBytes = 1_000_000,
): Promise<{ directory: string; segments: string[] }> {
  const directory = temporaryFolder();
  const { spool } = openSpool({ directory, segmentBytes });
  for (const one of records(count)) spool.push(one, 0);
  spool.close();
  return { directory, segments: segmentsIn(directory) };
}

async function adoptAll(
  directory: string,
): Promise<{ numbers: number[]; troubles: string[]; lost: number[] }> {
  const { spool, troubles, lost } = openSpool({ directory });
  const count = await adopted(spool);
  const numbers = numbersOf(spool.take(EVERYTHING));
  expect(numbers).toHaveLength(count);
  expect(spool.length).toBe(0);
  expect(spool.byteLength).toBe(0);
  spool.settle(spool.firstNumber);
  spool.close();
  return { numbers, troubles, lost };
}

it('the spool writes human-readable lines', async () => {
  const { segments } = await leftBehind(2);
  expect(readFileSync(segments[0]!, 'utf8')).toMatch(
    /^[0-9a-f]{8} {"app":"test"}\t{"attributes":{"n":0,"text":""}}\n[0-9a-f]{8} .*\n$/,
  );
});

it('the spool drops a record that was cut off at any byte, and keeps the complete ones before it', async () => {
  const { segments } = await leftBehind(4);
  const whole = readFileSync(segments[0]!);
  const ends = [...whole.keys()].filter((index) => whole[index] === 10).map((index) => index + 1);
  for (let size = 0; size <= whole.length; size++) {
    const directory = temporaryFolder();
    const { spool } = openSpool({ directory });
    spool.push(record(0), 0);
    spool.close();
    writeFileSync(segmentsIn(directory)[0]!, whole.subarray(0, size));
    const { numbers, troubles, lost } = await adoptAll(directory);
    expect(numbers).toEqual(range(0, ends.filter((end) => end <= size).length));
    expect(lost).toEqual([]);
    expect(troubles).toHaveLength(size === 0 || ends.includes(size) ? 0 : 1);
    expect(filesIn(directory)).toEqual([]);
  }
});

it('the spool keeps the records around damaged lines in order, and counts the damaged ones', async () => {
  const { segments } = await leftBehind(30);
  const whole = readFileSync(segments[0]!);
  const damage = fc.array(
    fc.tuple(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 20 })),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(damage, async (places) => {
      const bytes = Buffer.from(whole);
      for (const [offset, garbage] of places) bytes.set(garbage.subarray(0, bytes.length - offset), offset);
      const directory = temporaryFolder();
      const opened = openSpool({ directory });
      opened.spool.push(record(0), 0);
      opened.spool.close();
      writeFileSync(segmentsIn(directory)[0]!, bytes);
      // A line is intact if all its bytes are, and the newline before it.
      let start = 0;
      const expected: number[] = [];
      for (let n = 0; n < 30; n++) {
        const end = whole.indexOf(10, start) + 1;
        const from = Math.max(0, start - 1);
        if (whole.subarray(from, end).equals(bytes.subarray(from, end))) expected.push(n);
        start = end;
      }
      const { numbers, troubles } = await adoptAll(directory);
      expect(numbers).toEqual(expected);
      if (expected.length < 30) expect(troubles.join()).toMatch(/damaged|incomplete/);
    }),
    // The last record without its newline, and a damaged line in the middle.
    { ...cases(60), examples: [[[[whole.length - 1, Uint8Array.of(0)]]], [[[40, Uint8Array.of(0)]]]] },
  );
});

it('the spool reads its other segments if one segment and the position contain any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 3_000 }),
      fc.uint8Array({ maxLength: 200 }),
      async (segment, position) => {
        const { directory, segments } = await leftBehind(20, 500);
        writeFileSync(segments[1]!, segment);
        writeFileSync(join(dirname(segments[0]!), 'position'), position);
        const { numbers } = await adoptAll(directory);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect(numbers[0]).toBe(0);
        expect(numbers.at(-1)).toBe(19);
      },
    ),
    cases(50),
  );
});

describe('The position of a spool', () => {
  /** A position after every ten records. */
  async function positions(): Promise<{ directory: string; path: string; states: Buffer[] }> {
    const directory = temporaryFolder();
    const { spool } = openSpool({ directory });
    for (const one of records(60)) spool.push(one, 0);
    const states: Buffer[] = [];
    const path = join(dirname(segmentsIn(directory)[0]!), 'position');
    for (let batch = 0; batch < 4; batch++) {
      spool.take({ maxRecords: 10, maxBytes: 1e9 });
      spool.settle(spool.firstNumber);
      states.push(readFileSync(path));
    }
    spool.close();
    return { directory, path, states };
  }

  it('is the previous one if it was written incompletely', async () => {
    const { directory, path, states } = await positions();
    const [, , before, after] = states as [Buffer, Buffer, Buffer, Buffer];
    const changed = [...after.keys()].filter((index) => after[index] !== before[index]);
    for (let written = changed[0]!; written <= changed.at(-1)!; written++) {
      const torn = Buffer.concat([after.subarray(0, written), before.subarray(written)]);
      const copy = temporaryFolder();
      copyTree(directory, copy);
      writeFileSync(join(copy, path.slice(directory.length)), torn);
      expect((await adoptAll(copy)).numbers).toEqual(range(30, 60));
    }
    expect((await adoptAll(directory)).numbers).toEqual(range(40, 60));
  });

  it('skips segments that were settled but could not be removed', async () => {
    const { directory, segments } = await leftBehind(40, 500);
    const copies = temporaryFolder();
    const { spool } = openSpool({ directory });
    await spool.adopt();
    const [oldest] = segmentsIn(directory);
    copyFileSync(oldest!, join(copies, 'oldest'));
    spool.take({ maxRecords: 20, maxBytes: 1e9 });
    spool.settle(20);
    expect(segmentsIn(directory).length).toBeLessThan(segments.length);
    copyFileSync(join(copies, 'oldest'), oldest!);
    spool.close();
    expect((await adoptAll(directory)).numbers).toEqual(range(20, 40));
  });

  it('is the start if the file is missing', async () => {
    const { directory, path } = await positions();
    rmSync(path);
    expect((await adoptAll(directory)).numbers).toEqual(range(0, 60));
  });

  it('can be in a segment that is missing', async () => {
    const { directory, segments } = await leftBehind(40, 500);
    const first = openSpool({ directory });
    await first.spool.adopt();
    first.spool.take({ maxRecords: 15, maxBytes: 1e9 });
    first.spool.settle(first.spool.firstNumber);
    first.spool.close();
    const [oldest] = segmentsIn(directory);
    const left = numbersIn(oldest!);
    rmSync(oldest!);
    expect(segments.length).toBeGreaterThan(3);
    const { numbers } = await adoptAll(directory);
    expect(numbers).toEqual(range(left.at(-1)! + 1, 40));
  });
});

it('the spool reports records that the disk does not return, and continues with the next ones', async () => {
  const directory = temporaryFolder();
  const { spool, lost } = openSpool({ directory, segmentBytes: 500 });
  for (const one of records(40)) spool.push(one, 0);
  const segments = segmentsIn(directory);
  const [, second, third, fourth] = segments as [string, string, string, string];
  const gone = [...numbersIn(second), ...numbersIn(third).slice(1), ...numbersIn(fourth)];
  rmSync(second);
  truncateSync(third, readFileSync(third).indexOf(10) + 1);
  rmSync(fourth);
  mkdirSync(fourth); // Unreadable records.
  const numbers: number[] = [];
  while (spool.length > 0) {
    const { length } = spool;
    const taken = numbersOf(spool.take(EVERYTHING));
    const first = spool.firstNumber - taken.length;
    // The numbers of a batch are consecutive, and those that the records had.
    expect(taken).toEqual(range(first, first + taken.length));
    numbers.push(...taken);
    expect(spool.length).toBeLessThan(length);
  }
  expect(numbers).toEqual(range(0, 40).filter((n) => !gone.includes(n)));
  expect(lost.reduce((sum, count) => sum + count, 0)).toBe(gone.length);
  expect(spool.byteLength).toBe(0);
});

it('the spool leaves other files alone', async () => {
  const { directory, segments } = await leftBehind(3);
  const own = dirname(segments[0]!);
  appendFileSync(join(own, 'notes.txt'), 'by an operator');
  mkdirSync(join(dirname(own), 'by-an-operator'));
  appendFileSync(join(directory, 'README'), 'by an operator');
  expect((await adoptAll(directory)).numbers).toEqual([0, 1, 2]);
  expect(filesIn(directory).filter((name) => /notes.txt|README/.test(name))).toHaveLength(2);
});

function numbersIn(segment: string): number[] {
  return readFileSync(segment, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line.split('\t')[1]!).attributes.n);
}

function copyTree(from: string, to: string): void {
  for (const name of filesIn(from)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    copyFileSync(join(from, name), join(to, name));
  }
}
