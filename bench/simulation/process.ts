import type { Timer } from '../../src/core/clock.ts';
import type { IngesterOptions } from '../../src/ingest/options.ts';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import type { ProcessExitListener } from '../../src/ingest/process/process-exit.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { World } from '../../src/ingest/world.ts';
import type { Answer } from './answer.ts';
import type { SimulatedClock } from './clock.ts';
import { type Entry, isOpen, type Ledger, recordOf } from './ledger.ts';
import type { End } from './plan.ts';
import type { Client, Log, SimulatedService } from './service.ts';
import type { DiskOfProcess, SimulatedDisk } from './simulated-disk.ts';

const BASE_URL = 'https://logscale.example.com';

/** How long the worker of the exit takes to start. */
const WORKER_START_MS = 40;

/** The limits of the real exit; see `process-exit.ts`. */
const MAX_EXIT_MS = 9_500;
const MIN_TURN_MS = 1_500;

const EMPTY_BODY = { async *[Symbol.asyncIterator]() {} };
/** The end of records that a killed process had in memory. */
export const LOST = 'lost';
const NEVER = new Promise<never>(() => {});
const ACCEPTED = { body: EMPTY_BODY };

export interface Machine {
  readonly clock: SimulatedClock;
  readonly random: () => number;
  readonly service: SimulatedService;
  readonly disk: SimulatedDisk;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly onDropped: (process: SimulatedProcess, entry: Entry, reason: string) => void;
  /** Whether a record that waits may be lost when its process ends. */
  readonly mayBeLost: (process: SimulatedProcess, entry: Entry) => boolean;
  /** Ends all processes, and the disk loses what is not synced. */
  readonly crash: () => void;
}

/** A promise that a call is expected to settle in time. */
export interface PendingCall {
  readonly name: 'flush' | 'close';
  readonly sinceMs: number;
  /** Of the clock, at that time. */
  readonly blockedMs: number;
}

/** A process with a real pipeline, until it ends. */
export class SimulatedProcess implements Client {
  readonly number: number;
  readonly options: ReturnType<typeof resolveIngesterOptions>;
  isAlive = true;
  diedAt: number | undefined;
  acknowledged = 0;
  failuresInARow = 0;
  failuresOfOutage = 0;
  failures = 0;
  quietUntil = 0;
  accepted = 0;
  /** Set when the process begins to end. */
  ending: End | undefined;
  endingSince: number | undefined;
  /** The records that waited then. */
  openAtEnd: readonly Entry[] = [];
  /** Those that it left in the spool. */
  openAtDeath: readonly Entry[] = [];
  /** Records passed to `onDrop`, by reason. */
  readonly reported: Record<string, number> = {};
  /** Records in `drop` events, by reason. */
  readonly emitted: Record<string, number> = {};
  recoveries = 0;
  readonly pending = new Set<PendingCall>();
  /** Messages of hooks and calls that broke a law. */
  readonly complaints: string[] = [];
  readonly pipeline: IngestPipeline;
  /** Records that the program could not add yet. */
  readonly held: Entry[] = [];
  readonly #machine: Machine;
  readonly #disk: DiskOfProcess;
  readonly #exitListeners = new Set<ProcessExitListener>();
  #exitStartedAt: number | undefined;
  #hasExited = false;

  constructor(number: number, machine: Machine, options: IngesterOptions) {
    this.number = number;
    this.#machine = machine;
    this.#disk = machine.disk.startProcess();
    const given: IngesterOptions = {
      ...options,
      ...{ baseUrl: BASE_URL, ingestToken: 'token', compression: 'none', flushOnSignals: false },
      onWarning: () => {},
      onRecovered: () => void this.recoveries++,
      onDrop: ({ reason, records, events }) => this.#dropped(reason, records, events),
    };
    this.options = resolveIngesterOptions(given, 'Ingester');
    this.pipeline = new IngestPipeline(this.options, {
      world: this.#createWorld(),
      onEvent: (event) => {
        if (this.isAlive && event.name === 'drop')
          count(this.emitted, event.value.reason, event.value.records);
      },
    });
  }

  get stats(): IngesterStats {
    return this.pipeline.stats;
  }

  /** Frequent drops are reported later. */
  get unreportedDrops(): number {
    const sum = (counts: object): number =>
      Object.values(counts).reduce((total, records) => total + records, 0);
    return sum(this.stats.dropped) - sum(this.reported);
  }

  /** Runs `work` at a later time, unless the process has ended by then. */
  later(delayMs: number, work: () => void): Timer {
    return this.#machine.clock.startTimer(delayMs, () => {
      if (this.isAlive) work();
    });
  }

  /** Logs a record. A writer that must wait adds it later. */
  write(bytes: number, answer: Answer): void {
    const { clock, ledger } = this.#machine;
    this.held.push(ledger.write(this.number, bytes, answer, clock.now()));
    if (this.held.length === 1) this.#add();
  }

  flush(): void {
    this.#expect('flush', async () => {
      const before = this.#openEntries();
      const isFlushed = await this.pipeline.flush();
      const open = before.filter(isOpen).length - this.unreportedDrops;
      // What is left in a spool at the end is not.
      if (isFlushed && open > 0 && (this.ending === undefined || this.ending === 'close'))
        this.complaints.push(`flush() returned true with ${open} records to go`);
      // A spool may have adopted others.
      if (!isFlushed && open === 0 && this.options.spool === undefined)
        this.complaints.push('flush() returned false with no record to go');
    });
  }

  /** @param lastRecords logged in an `exit` listener of the program. */
  async end(how: End, lastRecords: number): Promise<void> {
    this.ending = how;
    const { clock, ledger } = this.#machine;
    this.endingSince = clock.now();
    // Of the spool, also those of others.
    this.openAtEnd = this.options.spool === undefined ? this.#openEntries() : ledger.entries.filter(isOpen);
    if (how === 'kill') return this.die();
    if (how === 'crash') return this.#machine.crash();
    if (how === 'abandon') this.pipeline.abandon();
    if (how === 'close') await this.#expect('close', () => this.pipeline.close());
    if (how === 'signal') await this.#expect('close', () => this.pipeline.endDelivery());
    // Node emits `beforeExit` again while there is work.
    if (how === 'natural') await this.#expect('close', () => this.#runBeforeExit());
    if (!this.isAlive) return;
    this.#callAtExit(false);
    for (let i = 0; i < lastRecords; i++) this.write(100, 'ok');
    this.#hasExited = true;
    this.#callAtExit(true);
    this.die();
  }

  async #runBeforeExit(): Promise<void> {
    await Promise.all([...this.#exitListeners].map((listener) => listener.beforeExit?.()));
  }

  #callAtExit(isLast: boolean): void {
    const called = new Set<ProcessExitListener>();
    for (const listener of this.#exitListeners) {
      if (called.has(listener)) continue;
      called.add(listener);
      listener.atExit(isLast);
    }
  }

  die(ending = this.ending): void {
    const { clock, ledger, log, mayBeLost } = this.#machine;
    log(() => `process ${this.number} is gone`);
    this.ending = ending;
    this.isAlive = false;
    this.diedAt = clock.now();
    this.pending.clear();
    this.#disk.kill();
    this.openAtDeath = this.#openEntries();
    for (const entry of this.openAtDeath) if (mayBeLost(this, entry)) ledger.drop(entry, LOST);
    for (const entry of this.held) ledger.drop(entry, LOST);
  }

  /** Frees what the pipeline of a killed process keeps. */
  dispose(): void {
    if (this.ending === 'kill' || this.ending === 'crash') this.pipeline.abandon();
  }

  #add(): void {
    const { clock, ledger } = this.#machine;
    for (let entry = this.held[0]; entry !== undefined; entry = this.held[0]) {
      // Before the call, which may drop it.
      ledger.accept(entry, clock.now());
      this.accepted++;
      const isFull = !this.pipeline.add(recordOf(entry));
      if (isFull && this.options.overflow === 'block') {
        ledger.takeBack(entry);
        this.accepted--;
        if (this.ending === undefined)
          void this.pipeline.backpressure.drained().then(() => this.isAlive && this.#add());
        return;
      }
      this.held.shift();
    }
  }

  #openEntries(): Entry[] {
    return this.#machine.ledger.entries.filter((entry) => entry.process === this.number && isOpen(entry));
  }

  async #expect(name: PendingCall['name'], call: () => Promise<unknown>): Promise<void> {
    const pending = { name, sinceMs: this.#machine.clock.now(), blockedMs: this.#machine.clock.blockedMs };
    this.pending.add(pending);
    await call();
    this.pending.delete(pending);
  }

  #dropped(reason: string, records: number, events: readonly string[]): void {
    if (!this.isAlive) return;
    count(this.reported, reason, records);
    if (events.length !== records && reason !== 'damaged') {
      this.complaints.push(`onDrop got ${events.length} events for ${records} records`);
    }
    for (const event of events) {
      const entry = this.#machine.ledger.entryOf(event);
      this.#machine.log(() => `dropped ${entry.number}: ${reason}`);
      // A process that is killed may not have noted in the spool what it dropped.
      if (entry.dropped !== undefined && this.options.spool === undefined)
        this.complaints.push(`record ${entry.number} was dropped twice`);
      this.#machine.ledger.drop(entry, reason);
      this.#machine.onDropped(this, entry, reason);
    }
  }

  #createWorld(): World {
    const { clock, random, service } = this.#machine;
    return {
      clock: { now: () => clock.now(), startTimer: (delayMs, work) => this.later(delayMs, work) },
      random,
      disk: this.#disk,
      uptimeMs: () => clock.now(),
      block: (durationMs) => clock.block(durationMs),
      openCaller: (_, { timeoutMs = Number.POSITIVE_INFINITY }) => ({
        callPath: async (__, ___, { data, signal }) => {
          if (!this.isAlive) return NEVER;
          await service.call(data as Uint8Array, signal, { timeoutMs, client: this });
          return ACCEPTED;
        },
      }),
      openBlockingCaller: () => {
        clock.block(WORKER_START_MS);
        return {
          call: (_, __, { body, timeoutMs }) => {
            service.callSync(body!, { timeoutMs, client: this });
            return { body: '', isComplete: true };
          },
          close: () => {},
        };
      },
      exit: {
        watch: (listener) => {
          this.#exitListeners.add(listener);
          if (this.#hasExited) listener.atExit(true);
        },
        unwatch: (listener) => void this.#exitListeners.delete(listener),
        timeLeft: (timeoutMs) => this.#exitTimeLeft(timeoutMs),
        closeTimeLeft: (timeoutMs) => timeoutMs,
        hasEnded: () => this.#hasExited,
      },
    };
  }

  #exitTimeLeft(timeoutMs: number): number {
    const { clock } = this.#machine;
    // A delivery before the exit counts.
    const isContinued = this.ending === 'natural';
    this.#exitStartedAt ??= isContinued ? this.endingSince! : clock.now();
    const passedMs = clock.now() - this.#exitStartedAt;
    return Math.min(MAX_EXIT_MS - passedMs, Math.max(timeoutMs - passedMs, MIN_TURN_MS));
  }
}

function count(counts: Record<string, number>, name: string, by: number): void {
  counts[name] = (counts[name] ?? 0) + by;
}
