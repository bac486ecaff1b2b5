// A program with a spool, for tests that kill it. Its settings say what to do, and it reports each step on stdout.

import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/core/clock.ts';
import { nodeDisk } from '../../../src/core/disk.ts';
import { createRecord, type IngestRecord } from '../../../src/ingest/record/record.ts';
import { Spool } from '../../../src/ingest/spool/spool.ts';

export interface ProgramSettings {
  readonly directory: string;
  /**
   * - `push`: adds records until it is killed.
   * - `adopt`: adopts the records of others, and then waits.
   * - `end`: adds a few records and exits.
   * - `fill`: adds records until the small disk is full and beyond, and then frees space.
   */
  readonly task: 'push' | 'adopt' | 'end' | 'fill';
  /** The number of the first record. */
  readonly first: number;
  readonly segmentBytes: number;
  /** Whether to take records and settle all but the latest ones. */
  readonly settles: boolean;
}

const settings: ProgramSettings = JSON.parse(process.env.SETTINGS ?? '');
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

const troubles: string[] = [];
const spool: Spool = new Spool({
  directory: settings.directory,
  maxBytes: 1e9,
  fsync: 'interval',
  segmentBytes: settings.segmentBytes,
  destination: { baseUrl: new URL('http://logs.example/'), endpoint: 'ingest', token: 'token' },
  clock: systemClock,
  disk: nodeDisk,
  limits: { maxRecords: 1e9, maxBytes: 1e9 },
  openBytes: () => spool.byteLength,
  onTrouble(message) {
    troubles.push(message);
    say(`trouble ${message}`);
  },
  onLost: (records) => say(`lost ${records}`),
});

let n = settings.first;

function pushSome(): void {
  const count = 1 + (n % 37);
  const made = Array.from({ length: count }, (_, index) =>
    createRecord(JSON.stringify({ attributes: { n: n + index, text: 'x'.repeat((n * 7) % 400) } }), '{}'),
  );
  if (count % 3 === 0) spool.push(made[0]!, Date.now());
  else {
    spool.batchWrites(() => {
      for (const one of made) spool.push(one, Date.now());
    });
  }
  n += count % 3 === 0 ? 1 : count;
  say(`pushed ${n}`);
}

/** Two batches are in flight at any time. */
function settleSome(): void {
  const before = spool.firstNumber;
  spool.take({ maxRecords: 1 + (n % 50), maxBytes: 1e6 });
  spool.settle(before);
  say(`settled ${settings.first + before}`);
}

async function fill(): Promise<void> {
  const ballast = join(settings.directory, 'ballast');
  writeFileSync(ballast, Buffer.alloc(600_000));
  const end = 800_000;
  for (let bytes = 0; bytes < end; n++) {
    const record = createRecord(JSON.stringify({ attributes: { n, text: 'x'.repeat(300) } }), '{}');
    spool.push(record, 0);
    bytes += record.byteLength;
  }
  const inMemory = spool.memoryBytes;
  // The position can be written on a full disk, and settled records free space.
  const numbers = spool.take({ maxRecords: 300, maxBytes: 1e9 }).map(numberOf);
  spool.settle(spool.firstNumber);
  rmSync(ballast);
  spool.push(createRecord(JSON.stringify({ attributes: { n } }), '{}'), 2_000);
  const afterRoom = spool.memoryBytes;
  numbers.push(...spool.take({ maxRecords: 1e9, maxBytes: 1e9 }).map(numberOf));
  const left = spool.close();
  say(`filled ${JSON.stringify({ inMemory, afterRoom, numbers, troubles, left })}`);
}

function numberOf({ eventText }: IngestRecord): number {
  return JSON.parse(eventText).attributes.n;
}

if (settings.task === 'push') {
  setInterval(() => {
    for (let i = 0; i < 20; i++) {
      pushSome();
      if (settings.settles && i % 3 === 0) settleSome();
    }
  }, 1);
} else if (settings.task === 'adopt') {
  await spool.adopt();
  const adopted = spool.length;
  const numbers = spool
    .take({ maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY })
    .map(numberOf);
  say(`adopted ${adopted} ${JSON.stringify(numbers)}`);
  setInterval(() => {}, 1_000);
} else if (settings.task === 'fill') {
  await fill();
} else {
  pushSome();
  void spool.adopt();
}
