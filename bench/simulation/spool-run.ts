import { createRecord, type IngestRecord } from '../../src/ingest/record/record.ts';
import { Spool } from '../../src/ingest/spool/spool.ts';
import type { SpoolSync } from '../../src/ingest/spool/spool-options.ts';
import { SimulatedClock } from './clock.ts';
import { seededRandom } from './random.ts';
import { type DiskCall, type DiskFault, type DiskOfProcess, SimulatedDisk } from './simulated-disk.ts';

const DIRECTORY = '/spool';
const DESTINATION = { baseUrl: new URL('http://logs.example/'), endpoint: 'ingest', token: 'token' };
const EVERYTHING = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/** Longer than the interval of syncs, and than a sync. */
const SYNCED_MS = 1_100;
/** Longer than a failed disk rests, and than a directory without records is young. */
const HEALED_MS = 70_000;

const WRITE_CODES = ['ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'EXDEV', 'EPERM', 'EROFS'];
/** Errors of reads after which the file can be read later; others set the file aside. */
const READ_CODES = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR', 'EBUSY'];
const READS = ['open', 'read', 'readFile', 'stat', 'list', 'isLocked'];

/** What happened to one record. */
interface Entry {
  readonly number: number;
  /** On disk as far as its process knows. */
  isWritten: boolean;
  /** Survives a crash of the machine. */
  isSynced: boolean;
  /** Set when a crash of the machine may have lost it, or its process was killed before it was written. */
  mayBeLost: boolean;
  /** Delivered. `partly`: its batch was not settled as a whole. */
  settled: 'no' | 'partly' | 'fully';
  /** Set when its settlement may be lost. */
  mayRepeat: boolean;
}

interface Taken {
  readonly endNumber: number;
  readonly entries: readonly Entry[];
}

/** A process with a spool. */
class SpoolProcess {
  readonly disk: DiskOfProcess;
  readonly spool: Spool;
  readonly troubles: string[] = [];
  readonly own: Entry[] = [];
  readonly taken: Taken[] = [];
  added = 0;
  removed = 0;
  lost = 0;
  /** Records that `close()` could not write. */
  isClosed = false;

  constructor(disk: SimulatedDisk, clock: SimulatedClock, fsync: SpoolSync, segmentBytes: number) {
    this.disk = disk.startProcess();
    const { disk: ownDisk } = this;
    this.spool = new Spool({
      ...{ directory: DIRECTORY, maxBytes: 1e9, fsync, segmentBytes, destination: DESTINATION },
      clock: {
        now: () => clock.now(),
        startTimer: (delayMs, work) => clock.startTimer(delayMs, () => ownDisk.hasEnded || work()),
      },
      disk: ownDisk,
      limits: EVERYTHING,
      openBytes: () => this.spool.byteLength,
      onTrouble: (message) => this.troubles.push(message),
      onLost: (records) => {
        this.lost += records;
      },
      onAdopted: (records) => {
        this.added += records;
      },
    });
  }

  get isAlive(): boolean {
    return !this.disk.hasEnded && !this.isClosed;
  }
}

/** One run of spools on a disk that fails. */
export class SpoolRun {
  readonly history: string[] = [];
  readonly #random: () => number;
  readonly #clock = new SimulatedClock();
  readonly #disk: SimulatedDisk;
  readonly #entries: Entry[] = [];
  readonly #fsync: SpoolSync;
  readonly #segmentBytes: number;
  /** The disk works, so nothing is sent again. */
  readonly #onlyKills: boolean;
  #processes: SpoolProcess[] = [];
  /** True once a call failed: what was settled may be sent again. */
  #hadFaults = false;
  #hadCrash = false;
  /** Whether a sync may have failed. */
  #syncFailed = false;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#disk = new SimulatedDisk({ clock: this.#clock, random: this.#random });
    this.#onlyKills = this.#random() < 0.3;
    this.#fsync = this.#one(['never', 'interval', 'always']);
    this.#segmentBytes = this.#one([1, 300, 2_000, 1_000_000]);
    this.history.push(`fsync: ${this.#fsync}, segmentBytes: ${this.#segmentBytes}`);
  }

  /** @throws Error if a law is broken. */
  async run(): Promise<void> {
    this.#start();
    for (let steps = this.#between(5, 60); steps > 0; steps--) {
      await this.#step();
      this.#checkAll();
    }
    this.#disk.faultOf = () => undefined;
    this.#disk.capacity = Number.POSITIVE_INFINITY;
    await this.#drain();
  }

  async #step(): Promise<void> {
    const alive = this.#processes.filter(({ isAlive }) => isAlive);
    const process = alive.length === 0 ? this.#start() : this.#one(alive);
    const steps: [number, string, () => unknown][] = [
      [10, 'push', () => this.#push(process)],
      [6, 'take', () => this.#take(process)],
      [6, 'settle', () => this.#settle(process)],
      [2, 'drop', () => this.#drop(process)],
      [3, 'adopt', () => void process.spool.adopt()],
      [4, 'adopt and wait', () => this.#adopt(process)],
      [4, 'wait', () => this.#wait(this.#one([1, 100, 1_000, SYNCED_MS, 15_000]))],
      [2, 'kill', () => process.disk.kill()],
      [2, 'close', () => this.#close(process)],
      [2, 'start', () => alive.length < 3 && this.#start()],
      [this.#onlyKills ? 6 : 2, 'end at a call', () => this.#endAtCall()],
      [this.#onlyKills ? 0 : 2, 'fail', () => this.#fail()],
      [3, 'heal', () => this.#heal()],
      [this.#onlyKills ? 0 : 1, 'crash', () => this.#crash()],
    ];
    let at = this.#random() * steps.reduce((sum, [weight]) => sum + weight, 0);
    const isChosen = ([weight]: (typeof steps)[number]): boolean => {
      at -= weight;
      return at < 0;
    };
    const [, name, work] = steps.find(isChosen) ?? steps[0]!;
    this.history.push(`${this.#clock.now()} ms: ${name} (process ${this.#processes.indexOf(process)})`);
    await work();
    await this.#wait(0);
    this.#noteWritten();
  }

  #start(): SpoolProcess {
    const process = new SpoolProcess(this.#disk, this.#clock, this.#fsync, this.#segmentBytes);
    this.#processes.push(process);
    return process;
  }

  #push(process: SpoolProcess): void {
    const count = this.#one([1, 1, 3, 20]);
    this.history.push(`  records ${this.#entries.length} to ${this.#entries.length + count - 1}`);
    const entries = Array.from({ length: count }, () => this.#newEntry());
    const { spool } = process;
    const push = (): void => {
      for (const entry of entries) spool.push(this.#recordOf(entry), this.#clock.now());
    };
    if (this.#random() < 0.5) push();
    else spool.batchWrites(push);
    process.added += count;
    process.own.push(...entries);
    // Killed while it wrote: the caller does not know whether it is on disk.
    if (!process.isAlive) for (const entry of entries) entry.mayBeLost = true;
  }

  #take(process: SpoolProcess): void {
    const records = process.spool.take({ maxRecords: this.#between(1, 30), maxBytes: 5_000 });
    this.#taken(process, records);
  }

  #taken(process: SpoolProcess, records: readonly IngestRecord[]): void {
    const entries = records.map((record) => this.#entryOf(record));
    process.removed += entries.length;
    if (entries.length > 0) process.taken.push({ endNumber: process.spool.firstNumber, entries });
    // From memory: on disk only after close().
    for (const entry of entries) if (!entry.isWritten) entry.mayBeLost = true;
  }

  #settle(process: SpoolProcess): void {
    const before = Math.max(0, process.spool.firstNumber - this.#one([0, 0, 1, 10]));
    const settled: Entry[] = [];
    while (process.taken[0] !== undefined && process.taken[0].endNumber <= before)
      settled.push(...process.taken.shift()!.entries);
    const partly = process.taken[0];
    const rest = partly === undefined ? 0 : before - (partly.endNumber - partly.entries.length);
    for (const entry of partly?.entries.slice(0, Math.max(0, rest)) ?? []) entry.settled = 'partly';
    for (const entry of settled) entry.settled = 'partly';
    process.spool.settle(before);
    if (process.isAlive) for (const entry of settled) entry.settled = 'fully';
  }

  /** Makes room behind what is taken. */
  #drop(process: SpoolProcess): void {
    const { byteLength: before, length } = process.spool;
    const dropped = process.spool.dropOldest();
    process.removed += dropped.length;
    for (const record of dropped) this.#entryOf(record).settled = process.isAlive ? 'fully' : 'partly';
    if (!process.isAlive) return;
    const bytes = dropped.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (process.spool.byteLength !== before - bytes) throw new Error('dropping frees no space');
    if (length > 0 && dropped.length === 0 && !this.#hadFaults) throw new Error('no record is dropped');
  }

  async #adopt(process: SpoolProcess): Promise<void> {
    let isDone = false;
    void process.spool.adopt().then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 100 && !isDone && process.isAlive; turn++) await this.#wait(1);
    if (process.isAlive && !isDone) throw new Error('adopt() does not end');
  }

  async #wait(ms: number): Promise<void> {
    const before = this.#clock.now();
    const own = this.#processes.flatMap((process) =>
      process.isAlive ? [[process, [...process.own]] as const] : [],
    );
    await this.#clock.runUntil(before + ms);
    if (ms < SYNCED_MS || this.#syncFailed || this.#fsync === 'never') return;
    for (const [{ isAlive }, entries] of own) {
      // A process that was killed before its next sync leaves that to the system.
      for (const entry of entries) entry.isSynced ||= isAlive && entry.isWritten;
    }
  }

  #close(process: SpoolProcess): void {
    const left = process.spool.close().map((record) => this.#entryOf(record));
    const hasEnded = process.disk.hasEnded;
    process.isClosed = true;
    for (const entry of left) entry.mayBeLost = true;
    if (hasEnded) return;
    // The process may exit at once, or go on.
    if (this.#random() < 0.5) process.disk.kill();
    for (const entry of process.own) {
      if (left.includes(entry)) continue;
      entry.isWritten = true;
      entry.mayBeLost = false; // Even if it was taken from memory.
      entry.isSynced = this.#fsync !== 'never' && !this.#syncFailed;
    }
  }

  #endAtCall(): void {
    let left = this.#between(1, 25);
    const onlyWrites = this.#random() < 0.5;
    const how = this.#one<DiskFault>(['ends before', 'ends halfway', 'ends after']);
    const before = this.#disk.faultOf;
    this.#disk.faultOf = (call) => {
      if ((onlyWrites && call.name !== 'write') || --left > 0) return before(call);
      this.#disk.faultOf = before;
      this.history.push(`${how}: ${call.name} ${call.path}`);
      return how;
    };
  }

  #fail(): void {
    this.#hadFaults = true;
    if (this.#random() < 0.3) {
      this.#disk.capacity = 0;
      this.#disk.capacity = this.#between(0, 1_000) - this.#disk.freeBytes;
      return;
    }
    const share = this.#one([0.05, 0.3, 1]);
    const only =
      this.#random() < 0.5 ? this.#one(['write', 'rename', 'open', 'sync', 'list', 'close']) : undefined;
    const code = this.#one(WRITE_CODES);
    const readCode = this.#one(READ_CODES);
    this.#disk.faultOf = ({ name, path }: DiskCall) => {
      if (this.#random() >= share || (only !== undefined && name !== only)) return undefined;
      const failed = READS.includes(name) ? readCode : code;
      this.#syncFailed ||= name.startsWith('sync');
      this.history.push(`${failed}: ${name} ${path}`);
      return { code: failed };
    };
  }

  #heal(): void {
    this.#disk.faultOf = () => undefined;
    this.#disk.capacity = Number.POSITIVE_INFINITY;
  }

  #crash(): void {
    this.#hadCrash = true;
    for (const entry of this.#entries) {
      if (!entry.isSynced) entry.mayBeLost = true;
      if (entry.settled === 'fully') entry.mayRepeat = true;
    }
    this.#disk.crash();
  }

  /** All records that a live spool does not hold in memory are on disk. */
  #noteWritten(): void {
    for (const process of this.#processes) {
      if (!process.isAlive || process.spool.memoryBytes > 0) continue;
      for (const entry of process.own) {
        if (entry.mayBeLost) continue;
        entry.isWritten = true;
        if (this.#fsync === 'always' && !this.#syncFailed) entry.isSynced = true;
      }
    }
    for (const process of this.#processes) {
      if (process.isAlive || process.isClosed) continue;
      for (const entry of process.own) if (!entry.isWritten) entry.mayBeLost = true;
    }
  }

  #checkAll(): void {
    for (const { isAlive, spool, added, removed, lost, troubles } of this.#processes) {
      if (!isAlive) continue;
      if (added !== spool.length + removed + lost) {
        throw new Error(`${added} records added, ${spool.length} waiting, ${removed} taken, ${lost} lost`);
      }
      if (spool.firstNumber !== removed + lost) throw new Error(`firstNumber is ${spool.firstNumber}`);
      if (spool.memoryBytes > 0 && !troubles.some((message) => message.startsWith("Can't write"))) {
        throw new Error('records are kept in memory without a report');
      }
    }
  }

  /** A healthy process delivers everything. */
  async #drain(): Promise<void> {
    this.history.push('drain');
    const [survivor] = this.#processes.filter(({ isAlive }) => isAlive);
    const found: Entry[] = [];
    for (const process of this.#processes) {
      if (!process.isAlive || (process === survivor && this.#random() < 0.5)) continue;
      if (this.#random() < 0.5) process.disk.kill();
      else this.#close(process);
    }
    this.#noteWritten();
    const heir = survivor?.isAlive ? survivor : this.#start();
    for (const { entries } of heir.taken) found.push(...entries);
    for (let round = 0; round < 4; round++) {
      await this.#clock.runUntil(this.#clock.now() + HEALED_MS);
      await this.#adopt(heir);
      if (heir.spool.memoryBytes > 0) throw new Error('records stay in memory on a healthy disk');
      const taken = heir.spool.take(EVERYTHING);
      heir.removed += taken.length;
      found.push(...taken.map((record) => this.#entryOf(record)));
      heir.spool.settle(heir.spool.firstNumber);
      this.#checkAll();
    }
    const left = heir.spool.close();
    if (left.length > 0) throw new Error('close() could not write on a healthy disk');
    this.#checkFound(found, heir);
    if (heir.disk.openFiles + heir.disk.heldLocks > 0) {
      throw new Error(`close() left ${heir.disk.openFiles} open files and ${heir.disk.heldLocks} locks`);
    }
    // The next process removes what could not be removed.
    const next = this.#start();
    await this.#clock.runUntil(this.#clock.now() + HEALED_MS);
    await this.#adopt(next);
    next.spool.take(EVERYTHING); // Settled records whose settlement could not be written.
    next.spool.settle(next.spool.firstNumber);
    next.spool.close();
    const files = this.#disk.filesIn(DIRECTORY).filter((path) => !path.endsWith('.unreadable'));
    if (files.length > 0) throw new Error(`files are left: ${files.join(', ')}`);
  }

  #checkFound(found: readonly Entry[], heir: SpoolProcess): void {
    if (heir.lost > 0 && !this.#hadCrash && !this.#hadFaults)
      throw new Error(`${heir.lost} records were lost`);
    const counts = new Map<Entry, number>();
    for (const entry of found) counts.set(entry, (counts.get(entry) ?? 0) + 1);
    for (const entry of this.#entries) {
      const count = counts.get(entry) ?? 0;
      const isOpen = entry.settled === 'no';
      if (count === 0 && isOpen && !entry.mayBeLost)
        throw new Error(`record is lost: ${JSON.stringify(entry)}`);
      if (count > 1 && !this.#hadFaults) throw new Error(`record ${entry.number} was found ${count} times`);
      const mayRepeat = entry.mayRepeat || this.#hadFaults;
      if (count > 0 && entry.settled === 'fully' && !mayRepeat) {
        throw new Error(`record ${entry.number} was settled, and is found again`);
      }
    }
  }

  #newEntry(): Entry {
    const entry: Entry = {
      ...{ number: this.#entries.length, isWritten: false, isSynced: false },
      ...{ mayBeLost: false, settled: 'no', mayRepeat: false },
    };
    this.#entries.push(entry);
    return entry;
  }

  #recordOf({ number }: Entry): IngestRecord {
    return createRecord(JSON.stringify({ n: number, text: 'x'.repeat((number * 37) % 300) }), '{}');
  }

  #entryOf({ eventText }: IngestRecord): Entry {
    return this.#entries[JSON.parse(eventText).n as number]!;
  }

  #between(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }
}

/** @throws Error with the seed and its history, if a law is broken. */
export async function runSpool(seed: number): Promise<void> {
  const run = new SpoolRun(seed);
  try {
    await run.run();
  } catch (cause) {
    throw new Error(`Seed ${seed}: ${(cause as Error).message}\n${run.history.join('\n')}`, { cause });
  }
}
