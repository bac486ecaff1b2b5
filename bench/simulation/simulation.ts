import { SimulatedClock } from './clock.ts';
import { Laws, type Violation } from './laws.ts';
import { type Entry, isOpen, Ledger } from './ledger.ts';
import type { DiskTrouble, Plan, ProgramPlan, Step } from './plan.ts';
import { LOST, type Machine, SimulatedProcess } from './process.ts';
import { seededRandom } from './random.ts';
import { SimulatedService } from './service.ts';
import { SimulatedDisk } from './simulated-disk.ts';

export interface RunResult {
  readonly violation: Violation | undefined;
  readonly history: readonly string[];
  readonly ledger: Ledger;
  readonly service: SimulatedService;
  readonly processes: readonly SimulatedProcess[];
  /** Simulated time. */
  readonly durationMs: number;
}

/** Longest end of a process; see `process-exit.ts`. */
const LONGEST_END_MS = 20_000;

/** A disk that works again is tried after this time at the latest. */
const DISK_HEALED_MS = 17_000;
/** A failed disk is not used for this time. */
const DISK_REST_MS = 1_000;
/** With the sync of an interval, the records of this time are lost in a crash. */
const UNSYNCED_MS = 1_100;
/** To sync a file and its name. */
const SYNC_MS = 40;
const DISK_WRITES: readonly string[] = ['write', 'sync', 'syncLater', 'makeFolder', 'makeUniqueFolder'];

/** Runs a plan. The same plan gives the same result. */
export async function runPlan(plan: Plan, keepsHistory = false): Promise<RunResult> {
  const run = new Run(plan, keepsHistory);
  await run.finish();
  return run.result;
}

class Run {
  readonly #plan: Plan;
  readonly #clock = new SimulatedClock();
  readonly #ledger = new Ledger();
  readonly #history: string[] = [];
  readonly #laws: Laws;
  readonly #machine: Machine;
  readonly #disk: SimulatedDisk;
  readonly #processes: SimulatedProcess[] = [];
  readonly #programs: Program[];

  constructor(plan: Plan, keepsHistory: boolean) {
    this.#plan = plan;
    this.#laws = new Laws(plan, this.#clock, this.#ledger);
    const random = seededRandom(plan.seed);
    this.#disk = new SimulatedDisk({ clock: this.#clock, random });
    this.#disk.faultOf = ({ name }) => (DISK_WRITES.includes(name) ? this.#diskTrouble(0) : undefined);
    const log = (event: () => string): void => {
      if (keepsHistory) this.#history.push(`${String(this.#clock.now()).padStart(7)} ms  ${event()}`);
    };
    const service = new SimulatedService(this.#clock, this.#ledger, plan.service, {
      random,
      log,
      onReceived: (entries, bytes, { number }) =>
        this.#laws.received(entries, bytes, this.#processes[number]!),
      onFailed: (entries, answer, { number }) => this.#laws.failed(entries, answer, this.#processes[number]!),
      onStored: (entry, { number }) => {
        const ended = this.#processes.filter(({ isAlive }) => !isAlive).length;
        this.#laws.stored(entry, this.#processes[number]!, ended);
      },
    });
    this.#machine = {
      ...{ clock: this.#clock, ledger: this.#ledger, disk: this.#disk, random, service, log },
      onDropped: (process, entry, reason) => this.#laws.dropped(process, entry, reason),
      mayBeLost: (process, entry) => this.#mayBeLost(process, entry),
      crash: () => this.#crash(),
    };
    this.#programs = plan.programs.map((program) => new Program(program, () => this.#start()));
  }

  get result(): RunResult {
    return {
      ...{ violation: this.#laws.violation, history: this.#history, ledger: this.#ledger },
      ...{ service: this.#machine.service, processes: this.#processes, durationMs: this.#clock.now() },
    };
  }

  #start(): SimulatedProcess {
    const process = new SimulatedProcess(this.#processes.length, this.#machine, this.#plan.options);
    this.#machine.log(() => `process ${process.number} starts`);
    this.#processes.push(process);
    return process;
  }

  async finish(): Promise<void> {
    for (const program of this.#programs) program.begin(this.#clock);
    const { service, diskTroubles } = this.#plan;
    const troubles = [...service.troubles, ...diskTroubles].map(({ untilMs }) => untilMs);
    const end = Math.max(...troubles, ...this.#plan.programs.map(lastMoment));
    await this.#runUntil(end);
    await this.#runUntil(end + this.#laws.budgetMs + 1, () => this.#isSettled);
    await this.#close(this.#programs.map(({ process }) => process));
    if (this.#plan.options.spool !== undefined) await this.#empty();
    if (this.#laws.violation === undefined) {
      for (const process of this.#processes) this.#laws.checkEnd(process);
      this.#laws.checkLosses(this.#processes);
      this.#laws.checkOutages(this.#machine.service, this.#processes);
    }
    for (const process of this.#processes) process.dispose();
  }

  async #close(processes: readonly SimulatedProcess[]): Promise<void> {
    for (const process of processes) if (process.ending === undefined) void process.end('close', 0);
    await this.#runUntil(this.#clock.now() + LONGEST_END_MS);
  }

  /** A last process delivers what the others have left in the spool, most of which may be bad. */
  async #empty(): Promise<void> {
    const process = this.#start();
    await this.#runUntil(this.#clock.now() + 10 * this.#laws.budgetMs, () => this.#isSettled);
    await this.#close([process]);
  }

  #crash(): void {
    for (const process of this.#processes) if (process.isAlive) process.die('crash');
    this.#disk.crash();
    for (const entry of this.#ledger.entries) {
      const process = this.#processes[entry.process]!;
      if (isOpen(entry) && this.#isUnsynced(process, entry)) this.#ledger.drop(entry, LOST);
    }
  }

  #diskTrouble(afterMs: number, sinceMs = this.#clock.now()): DiskTrouble | undefined {
    const now = this.#clock.now();
    return this.#plan.diskTroubles.find(
      ({ fromMs, untilMs }) => now >= fromMs && now < untilMs + afterMs && sinceMs < untilMs + DISK_REST_MS,
    );
  }

  /** What was packed from memory while the disk failed is written at the end only, or reported as dropped then. */
  #mayBeLost(process: SimulatedProcess, entry: Entry): boolean {
    const { options, ending, openAtDeath, stats, accepted } = process;
    if (options.spool === undefined) return true;
    if (ending !== 'kill' && ending !== 'crash') return false;
    // The newest ones are not packed. They may be adopted ones, too.
    const unpacked = stats.spooledRecords - (stats.accepted - accepted);
    const isPacked = openAtDeath.indexOf(entry) < openAtDeath.length - unpacked;
    const healedMs = isPacked ? Number.POSITIVE_INFINITY : DISK_HEALED_MS;
    return this.#diskTrouble(healedMs, entry.acceptedAt) !== undefined;
  }

  /** Nobody syncs the last records of a killed process. */
  #isUnsynced({ diedAt = 0, options: { spool } }: SimulatedProcess, { acceptedAt = 0 }: Entry): boolean {
    if (this.#plan.diskTroubles.length > 0 || spool?.fsync === 'never') return true;
    // Each file is synced on its own, one after another.
    const queuedMs = this.#ledger.entries.length * (spool?.segmentBytes !== undefined ? SYNC_MS : 0);
    return spool?.fsync === 'interval' && acceptedAt > diedAt - UNSYNCED_MS - queuedMs;
  }

  get #isSettled(): boolean {
    return this.#ledger.entries.every(
      (entry) => entry.acknowledged > 0 || entry.dropped !== undefined || !this.#laws.isAcceptable(entry),
    );
  }

  async #runUntil(endMs: number, isDone = () => false): Promise<void> {
    if (this.#laws.violation !== undefined) return;
    await this.#clock.runUntil(endMs, () => this.#check() || isDone());
    this.#check();
  }

  #check(): boolean {
    for (const { process } of this.#programs) this.#laws.check(process);
    return this.#laws.violation !== undefined;
  }
}

/** A program that runs the steps of its plan, in one process after the other. */
class Program {
  process: SimulatedProcess;
  readonly #plan: ProgramPlan;
  readonly #start: () => SimulatedProcess;

  constructor(plan: ProgramPlan, start: () => SimulatedProcess) {
    this.#plan = plan;
    this.#start = start;
    this.process = start();
  }

  begin(clock: SimulatedClock): void {
    for (const step of this.#plan.steps) clock.startTimer(step.atMs, () => this.#run(step, clock));
  }

  #run(step: Step, clock: SimulatedClock): void {
    if (step.kind === 'write') this.#write(step, step.records, clock);
    else if (this.process.ending !== undefined) return;
    else if (step.kind === 'flush') this.process.flush();
    else void this.#end(step, clock);
  }

  #write(step: Step & { kind: 'write' }, records: number, clock: SimulatedClock): void {
    const atOnce = step.everyMs === 0 ? records : 1;
    const first = step.records - records;
    for (let i = first; i < first + atOnce && this.process.ending === undefined; i++)
      this.process.write(step.bytes, i % (step.answerEvery ?? 1) === 0 ? step.answer : 'ok');
    if (records > atOnce) clock.startTimer(step.everyMs, () => this.#write(step, records - atOnce, clock));
  }

  async #end({ how, lastRecords, restartMs }: Step & { kind: 'end' }, clock: SimulatedClock): Promise<void> {
    await this.process.end(how, lastRecords);
    if (restartMs === undefined) return;
    clock.startTimer(restartMs, () => {
      this.process = this.#start();
    });
  }
}

/** When the last step of a program has begun, and its writes have ended. */
function lastMoment({ steps }: ProgramPlan): number {
  return Math.max(
    0,
    ...steps.map((step) => {
      if (step.kind === 'write') return step.atMs + step.records * step.everyMs;
      return step.atMs + (step.kind === 'end' ? LONGEST_END_MS + (step.restartMs ?? 0) : 0);
    }),
  );
}
