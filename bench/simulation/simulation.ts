import { SimulatedClock } from './clock.ts';
import { Laws, type Violation } from './laws.ts';
import { Ledger } from './ledger.ts';
import type { Plan, ProgramPlan, Step } from './plan.ts';
import { type Machine, SimulatedProcess } from './process.ts';
import { seededRandom } from './random.ts';
import { SimulatedService } from './service.ts';

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
  readonly #processes: SimulatedProcess[] = [];
  readonly #programs: Program[];

  constructor(plan: Plan, keepsHistory: boolean) {
    this.#plan = plan;
    this.#laws = new Laws(plan, this.#clock, this.#ledger);
    const random = seededRandom(plan.seed);
    const log = (event: () => string): void => {
      if (keepsHistory) this.#history.push(`${String(this.#clock.now()).padStart(7)} ms  ${event()}`);
    };
    const service = new SimulatedService(this.#clock, this.#ledger, plan.service, {
      random,
      log,
      onStored: (entry) => this.#laws.stored(entry, this.#processes[entry.process]!),
    });
    this.#machine = {
      ...{ clock: this.#clock, ledger: this.#ledger, random, service, log },
      onDropped: (process, entry, reason) => this.#laws.dropped(process, entry, reason),
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
    const troubles = this.#plan.service.troubles.map(({ untilMs }) => untilMs);
    const end = Math.max(...troubles, ...this.#plan.programs.map(lastMoment));
    await this.#runUntil(end);
    await this.#runUntil(end + this.#laws.budgetMs + 1, () => this.#isSettled);
    for (const { process } of this.#programs) if (process.ending === undefined) void process.end('close', 0);
    await this.#runUntil(this.#clock.now() + LONGEST_END_MS);
    if (this.#laws.violation === undefined) {
      for (const process of this.#processes) this.#laws.checkEnd(process);
      this.#laws.checkOutages(this.#machine.service, this.#processes);
    }
    for (const process of this.#processes) process.dispose();
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
    for (let i = 0; i < atOnce && this.process.ending === undefined; i++)
      this.process.write(step.bytes, step.answer);
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
      return step.atMs + (step.kind === 'end' ? (step.restartMs ?? 0) : 0);
    }),
  );
}
