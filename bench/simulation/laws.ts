import type { Answer } from './answer.ts';
import type { SimulatedClock } from './clock.ts';
import { type Entry, isOpen, type Ledger } from './ledger.ts';
import type { Plan } from './plan.ts';
import type { SimulatedProcess } from './process.ts';
import type { SimulatedService } from './service.ts';

/** Time to deliver a record while the service accepts it, besides the time that the service takes. The last pause is rounded up. */
const DELIVERY_MS = 61_500;

/** Interval of the search for records that exited processes have left in the spool. */
const ADOPTION_INTERVAL_MS = 15_000;

/** Requests that failed this often may be overtaken. */
const FAILURES_BEFORE_OTHERS = 3;

/** With more bad records, others are not found at once. */
const MAX_BAD_SHARE = 0.05;
/** If few records are bad, the first tries after an outage can be some of these, but not more. */
const MAX_BAD_TRIES = 3;

/** Isolating one record of a batch takes about twice as many requests as halving, and some to be sure. */
const REQUESTS_TO_ISOLATE = 40;

/** Delays before a deadline, and the start of a worker. */
const CLOSE_ALLOWANCE_MS = 2_000;

/** A failure is worth so many requests with one record: halves that end with it, and others to compare with. */
const ALONE_PER_FAILURE = 3;
/** The fields of `batchIds`, and separators. */
const MARK_BYTES = 120;
/** Other requests with one record, such as the end of a burst. */
const ALONE_PER_STEP = 2;

/** A record is dropped only after so many failures, each after others were accepted, and none of others in between. */
const FAILURES_BEFORE_DROP = 5;
/** These are about the records in any case. */
const FINAL_ANSWERS: readonly Answer[] = ['400', '422'];
/** The client may send these again at once, and count only the second failure. */
const STALE_ANSWERS: readonly Answer[] = ['reset', 'lost'];

/** Certainly an outage. */
const MANY_FAILURES = 10;

const START = { recoveries: 0, delivered: 0, retried: 0, failuresOfOutage: 0, isFailing: false };

/** Numbers of records at fault, those included whose requests hang, and the time for the others. */
interface EndWork {
  readonly bad: number;
  readonly hanging: number;
  readonly ms: number;
}

export interface Violation {
  readonly law: string;
  readonly message: string;
}

/** What must hold in every run. */
export class Laws {
  violation: Violation | undefined;
  readonly #plan: Plan;
  /** True if the service accepts all records. */
  readonly #isAllGood: boolean;
  readonly #clock: SimulatedClock;
  readonly #ledger: Ledger;
  /** In bytes. */
  #largestRequest = 0;
  /** Index of the first record that may be undelivered, by process. */
  readonly #firstOpen: number[] = [];
  /** The state at the last check, by process. */
  readonly #before: (typeof START)[] = [];
  /** When the last bad record that may be overtaken was dropped, by process: the records behind it may be split. */
  readonly #overtakenUntil: number[] = [];
  #budget: { readonly records: number; readonly ms: number } | undefined;
  /** What the service needs for the records that waited at the end of a process. */
  readonly #endWork = new Map<SimulatedProcess, EndWork>();
  readonly #progress: { settled: number; atMs: number }[] = [];
  /** Requests with one good record of a burst, by process. */
  readonly #alone: number[] = [];
  /** How often a good record failed alone at its first attempt, by process. */
  readonly #doubts: number[] = [];
  /** Failures of a record alone since the last doubt, each after others were accepted. */
  readonly #proofs = new Map<Entry, Readonly<{ key: string; acknowledged: number; failures: number }>>();

  constructor(plan: Plan, clock: SimulatedClock, ledger: Ledger) {
    this.#plan = plan;
    this.#isAllGood =
      plan.service.maxBytes === Number.POSITIVE_INFINITY &&
      plan.programs.every(({ steps }) =>
        steps.every((step) => step.kind !== 'write' || step.answer === 'ok'),
      );
    this.#clock = clock;
    this.#ledger = ledger;
  }

  /** Longest time until a record is delivered, if the service accepts it all the time. */
  get budgetMs(): number {
    const { length } = this.#ledger.entries;
    if (this.#budget?.records !== length) this.#budget = { records: length, ms: this.#computeBudget() };
    return this.#budget.ms;
  }

  #computeBudget(): number {
    const { service, options } = this.#plan;
    const { requestTimeoutMs = 10_000, maxRetryDelayMs = 30_000 } = options;
    const entries = this.#ledger.entries;
    const workMs = this.#workMs(entries);
    const timeouts = Math.max(0, Math.ceil(Math.log2(workMs / requestTimeoutMs)) + 1);
    const writes = this.#plan.programs.reduce((sum, { steps }) => sum + steps.length, 0);
    const bad = entries.filter((entry) => !this.isAcceptable(entry)).length;
    // Finding a good one among many takes as many attempts as the end of an outage, and batches take turns.
    const areMany = this.#plan.programs.some((_, number) => {
      const own = entries.filter(({ process }) => process === number);
      return own.filter((entry) => !this.isAcceptable(entry)).length > MAX_BAD_SHARE * own.length;
    });
    // If one trouble hides the end of another, one more pause is long.
    const troubled = Math.max(0, service.troubles.length - 1);
    const tries = troubled + (areMany ? 2 * bad : Math.max(0, Math.min(bad - 1, MAX_BAD_TRIES)));
    const searchMs = tries * maxRetryDelayMs;
    // A spool adopts what fits, and what was delivered behind a bad record is adopted, too.
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const adoptionMs =
      (2 * bytes * ADOPTION_INTERVAL_MS) / (options.spool?.maxBytes ?? Number.POSITIVE_INFINITY);
    const waitMs = searchMs + adoptionMs + 4 * timeouts * requestTimeoutMs;
    return DELIVERY_MS + waitMs + 2 * workMs + writes * service.latencyMs;
  }

  /** What the service needs for records, including the requests to isolate bad ones. */
  #workMs(entries: readonly Entry[]): number {
    const { service, options } = this.#plan;
    const { maxBatchRecords = 5_000, maxBatchBytes = 2 ** 20, requestTimeoutMs = 10_000 } = options;
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const batches =
      entries.length / maxBatchRecords + (2 * bytes) / Math.min(maxBatchBytes, service.maxBytes) + 1;
    const bad = entries.filter((entry) => !this.isAcceptable(entry)).length;
    const requests = batches + bad * REQUESTS_TO_ISOLATE;
    const { latencyMs, msPerRecord, msPerKilobyte } = service;
    const hangMs = REQUESTS_TO_ISOLATE * entries.filter(isHanging).length * requestTimeoutMs;
    return hangMs + requests * latencyMs + entries.length * msPerRecord + (bytes / 1024) * msPerKilobyte;
  }

  /** False for the records that the service rejects, or can't receive. */
  isAcceptable({ answer, bytes }: Entry): boolean {
    return answer === 'ok' && bytes + 200 <= this.#plan.service.maxBytes;
  }

  /** End of the last trouble that has begun; Infinity during one. */
  #quietSince(nowMs: number): number {
    let since = 0;
    for (const { fromMs, untilMs } of this.#plan.service.troubles) {
      if (nowMs >= fromMs) since = Math.max(since, nowMs < untilMs ? Number.POSITIVE_INFINITY : untilMs);
    }
    return since;
  }

  #break(law: string, message: string): void {
    this.violation ??= { law, message };
  }

  received(entries: readonly Entry[], bytes: number, process: SimulatedProcess): void {
    this.#largestRequest = Math.max(this.#largestRequest, bytes);
    const { maxBatchRecords, maxBatchBytes, maxRequestsInFlight } = process.options;
    const eventBytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    if (entries.length > maxBatchRecords || (entries.length > 1 && eventBytes > maxBatchBytes)) {
      this.#break('batch limits', `a request has ${entries.length} records of ${eventBytes} bytes`);
    }
    this.#checkAlone(entries, process);
    const isPatient = process.ending === undefined && maxRequestsInFlight === 1;
    if (isPatient && this.#clock.now() < process.quietUntil) {
      this.#break('Retry-After', `a request arrived, but the next was due at ${process.quietUntil} ms`);
    }
  }

  /** Called when a request has failed. */
  failed([entry, ...others]: readonly Entry[], answer: Answer, process: SimulatedProcess): void {
    if (entry === undefined || others.length > 0) return;
    const { number, ending, acknowledged } = process;
    const doubts = this.#doubts[number] ?? 0;
    const key = `${number} ${doubts}`;
    const before = this.#proofs.get(entry);
    const isNew = before?.key !== key;
    const failures = isNew ? 1 : before.failures + (acknowledged > before.acknowledged ? 1 : 0);
    this.#proofs.set(entry, { key, acknowledged, failures });
    const isFirst = entry.failed === 1 && this.isAcceptable(entry);
    if (isFirst && ending === undefined && !STALE_ANSWERS.includes(answer)) this.#doubts[number] = doubts + 1;
  }

  /** Records at fault must not split all others. */
  #checkAlone([entry, ...others]: readonly Entry[], { number, options, failures }: SimulatedProcess): void {
    const { service, programs } = this.#plan;
    const isSmallForOtherReasons =
      service.maxBytes < Number.POSITIVE_INFINITY ||
      service.msPerRecord > 0 ||
      // A larger record may really be too large.
      this.#ledger.entries.some(({ answer, bytes }) => answer === '413' && bytes > (entry?.bytes ?? 0)) ||
      this.#plan.options.maxQueueBytes !== undefined;
    if (entry === undefined || others.length > 0 || isSmallForOtherReasons || !this.isAcceptable(entry))
      return;
    const neighbor = this.#ledger.entries[entry.number + 1];
    const isOfBurst = neighbor?.process === entry.process && neighbor.acceptedAt === entry.acceptedAt;
    if (
      !isOfBurst ||
      options.maxBatchRecords < 2 ||
      entry.bytes + neighbor.bytes + MARK_BYTES > options.maxBatchBytes
    )
      return;
    const alone = (this.#alone[number] ?? 0) + 1;
    this.#alone[number] = alone;
    const steps = programs.reduce((sum, program) => sum + program.steps.length, 0);
    if (alone > ALONE_PER_STEP * steps + ALONE_PER_FAILURE * failures) {
      this.#break('large requests', `${alone} good records were sent alone, ${failures} requests failed`);
    }
  }

  /** Called when an event has settled. */
  check(process: SimulatedProcess): void {
    const { stats, complaints } = process;
    if (complaints.length > 0) this.#break('hooks', complaints[0]!);
    const { accepted, delivered, queuedRecords, inFlightRecords, spooledRecords } = stats;
    const dropped = Object.values(stats.dropped).reduce((sum, records) => sum + records, 0);
    const waiting = queuedRecords + inFlightRecords + spooledRecords;
    const who = `process ${process.number}`;
    // A spool adopts the records of processes that have ended.
    const isAdopting = process.options.spool !== undefined && accepted > process.accepted;
    if ((accepted !== process.accepted && !isAdopting) || accepted !== delivered + dropped + waiting) {
      this.#break(
        'conservation',
        `${who}: ${process.accepted} records were added, ${accepted} counted as accepted, ${delivered} as delivered, ${dropped} as dropped, ${waiting} as waiting`,
      );
    }
    if (delivered !== process.acknowledged) {
      this.#break('acknowledged', `${who}: ${process.acknowledged} acknowledged, but ${delivered} counted`);
    }
    let reported = 0;
    for (const [reason, records] of Object.entries(process.reported)) {
      const counted = stats.dropped[reason as keyof typeof stats.dropped];
      if (records > counted)
        this.#break('hooks', `${who}: ${records} ${reason} reported, ${counted} counted`);
      reported += records;
    }
    const { bytes } = this.#ledger.openOf(process.number);
    // Frequent drops are reported later.
    const isInMemory = process.options.spool === undefined;
    if (isInMemory && bytes > process.options.maxQueueBytes && reported === dropped) {
      this.#break('memory', `${who}: ${bytes} bytes wait, maxQueueBytes is ${process.options.maxQueueBytes}`);
    }
    this.#checkRecovery(process);
    this.#checkCalls(process, delivered + dropped);
    if (process.ending === undefined) this.#checkDelay(process);
  }

  /** Called when a process has ended. */
  checkEnd(process: SimulatedProcess): void {
    const { stats, ending, number, reported, emitted } = process;
    if (ending === 'kill' || ending === 'crash') return;
    if (process.options.spool !== undefined) {
      for (const entry of process.openAtDeath) this.#checkClose(process, entry);
    }
    for (const [reason, records] of Object.entries(stats.dropped)) {
      const [hook = 0, event = 0] = [reported[reason], emitted[reason]];
      if (hook !== records || event !== records) {
        const message = `process ${number}: of ${records} ${reason} records, onDrop got ${hook}, drop events ${event}`;
        this.#break('every drop is reported', message);
      }
    }
    const waiting = stats.queuedRecords + stats.inFlightRecords;
    if (waiting > 0) this.#break('conservation', `process ${number}: ${JSON.stringify(stats)} after its end`);
  }

  #checkRecovery({ number, stats, recoveries, ending, failuresOfOutage }: SimulatedProcess): void {
    const { delivered, retried } = stats;
    const before = this.#before[number] ?? START;
    const called = recoveries - before.recoveries;
    const hasFailed = retried > before.retried;
    // Failures of a record that is at fault, while others are accepted, are no outage: nothing recovers.
    const isOutage = before.failuresOfOutage >= MANY_FAILURES && this.#isAllGood;
    const isMissing = called === 0 && isOutage && delivered > before.delivered;
    if (
      isMissing ||
      (called > 1 && ending === undefined) ||
      (called === 1 && !before.isFailing && !hasFailed)
    ) {
      this.#break('hooks', `process ${number}: onRecovered was called ${called} times`);
    }
    const isFailing = called === 0 && (before.isFailing || hasFailed);
    this.#before[number] = { recoveries, delivered, retried, failuresOfOutage, isFailing };
  }

  #checkCalls({ number, pending, options }: SimulatedProcess, settled: number): void {
    const now = this.#clock.now();
    if (this.#progress[number]?.settled !== settled) this.#progress[number] = { settled, atMs: now };
    const { closeTimeoutMs } = options;
    for (const { name, sinceMs, blockedMs } of pending) {
      const limitMs =
        name === 'close'
          ? sinceMs + closeTimeoutMs
          : Math.max(sinceMs, this.#progress[number].atMs) + 2 * closeTimeoutMs;
      // Another process that blocks delays the events of this one.
      if (now > limitMs + this.#clock.blockedMs - blockedMs) {
        this.#break(
          `${name} ends in time`,
          `process ${number}: ${name}() since ${sinceMs} ms, now ${now} ms`,
        );
      }
    }
  }

  #checkDelay({ number, options, held }: SimulatedProcess): void {
    const entry = this.#oldestOpen(number, (open) => this.isAcceptable(open));
    if (entry === undefined) return;
    // A writer that can wait does so while bad records fill half of the queue.
    const isWaiting = entry.acceptedAt === undefined;
    const neededBytes = Math.max(2 * this.#badBytes(), this.#badBytes() + (held[0]?.bytes ?? 0) + MARK_BYTES);
    if (isWaiting && neededBytes > (options.spool?.maxBytes ?? options.maxQueueBytes)) return;
    const now = this.#clock.now();
    const waitedMs = now - Math.max(entry.writtenAt, this.#quietSince(now));
    if (waitedMs > DELIVERY_MS && waitedMs > this.budgetMs) {
      this.#break(
        'delivery goes on',
        `record ${entry.number} has waited for ${waitedMs} ms (allowed: ${Math.round(this.budgetMs)} ms)`,
      );
    }
  }

  #badBytes(): number {
    const bad = this.#ledger.entries.filter((entry) => isOpen(entry) && !this.isAcceptable(entry));
    const markBytes = this.#plan.options.batchIds === true ? MARK_BYTES : 0;
    return bad.reduce((sum, { bytes }) => sum + bytes + markBytes, 0);
  }

  /** The first record of a process that is neither delivered nor dropped, and matters. */
  #oldestOpen(process: number, matters: (entry: Entry) => boolean): Entry | undefined {
    const { entries } = this.#ledger;
    const isSettled = (entry: Entry): boolean =>
      entry.process !== process || entry.acknowledged > 0 || entry.dropped !== undefined;
    let first = this.#firstOpen[process] ?? 0;
    while (first < entries.length && isSettled(entries[first]!)) first++;
    this.#firstOpen[process] = first;
    for (let index = first; index < entries.length; index++) {
      const entry = entries[index]!;
      if (!isSettled(entry) && matters(entry)) return entry;
    }
    return undefined;
  }

  #failuresBeforeOthers({ ending }: SimulatedProcess): number {
    return ending === undefined ? FAILURES_BEFORE_OTHERS : 1;
  }

  dropped(process: SimulatedProcess, entry: Entry, reason: string): void {
    const who = `record ${entry.number} of process ${process.number}`;
    if (entry.failed >= this.#failuresBeforeOthers(process))
      this.#overtakenUntil[process.number] = this.#clock.now();
    if (reason === 'rejected') {
      if (this.isAcceptable(entry)) this.#break('only bad records are rejected', `${who} was dropped`);
      if (entry.failedAlone === 0)
        this.#break('dropped alone', `${who} was dropped after ${entry.failed} requests`);
      const { failures = 0 } = this.#proofs.get(entry) ?? {};
      if (failures < FAILURES_BEFORE_DROP && !FINAL_ANSWERS.includes(entry.answer))
        this.#break(
          'dropped without doubt',
          `${who} was dropped after ${failures} failures that prove its fault`,
        );
    } else if (reason === 'closed') {
      if (process.ending === undefined) this.#break('drops', `${who} was dropped as closed`);
      else this.#checkClose(process, entry);
    } else if (reason === 'overflow') this.#checkOverflow(process, entry);
    else this.#break('drops', `${who} was dropped as ${reason}`);
  }

  /** A full queue keeps the newest records, or those that it has. */
  #checkOverflow({ number, options }: SimulatedProcess, entry: Entry): void {
    const { overflow, spool } = options;
    if (overflow === 'block')
      this.#break('overflow', `record ${entry.number} was dropped, but its writer can wait`);
    if (overflow !== 'dropOldest' || this.#plan.diskTroubles.length > 0 || entry.process !== number) return;
    const limit = spool?.maxBytes ?? options.maxQueueBytes;
    const isOpen = (other: Entry): boolean => other.acknowledged === 0 && other.dropped === undefined;
    const older = this.#ledger.entries.slice(0, entry.number).filter(isOpen);
    const olderBytes = older.reduce((sum, { bytes }) => sum + bytes, 0);
    // What is in flight stays.
    const largest = Math.max(this.#largestRequest, ...older.map(({ bytes }) => bytes));
    const inFlight =
      options.maxRequestsInFlight * Math.max(largest, Math.min(olderBytes, options.maxBatchBytes));
    // And what is packed is dropped as a whole.
    const packed = Math.min(limit, options.maxBatchBytes);
    const needed = limit / 2 - inFlight - packed - (spool?.segmentBytes ?? 0);
    let newer = entry.bytes;
    for (let at = entry.number + 1; at < this.#ledger.entries.length && newer < needed; at++) {
      const other = this.#ledger.entries[at]!;
      if (other.process === number) newer += other.bytes;
    }
    if (newer < needed && entry.bytes < limit) {
      this.#break('overflow', `record ${entry.number} was dropped with only ${newer} newer bytes`);
    }
  }

  /** @param lastOpen number of the last record that waited. Those that came later, or that a writer held, are work, too. */
  #workAtEnd({ openAtEnd, number }: SimulatedProcess, lastOpen: number): EndWork {
    const later = this.#ledger.entries.filter((entry) => entry.process === number && entry.number > lastOpen);
    const all = [...openAtEnd, ...later];
    return {
      bad: all.filter((entry) => !this.isAcceptable(entry)).length,
      hanging: all.filter(isHanging).length,
      ms: this.#workMs(all.filter((entry) => !isHanging(entry))),
    };
  }

  /** At the end, good records are delivered if the service has time for all. */
  #checkClose(process: SimulatedProcess, entry: Entry): void {
    const { ending, endingSince = 0, openAtEnd, options } = process;
    if (ending === 'abandon' || !this.isAcceptable(entry) || this.#plan.diskTroubles.length > 0) return;
    const lastOpen = openAtEnd.at(-1)?.number ?? -1;
    const work = this.#endWork.get(process) ?? this.#workAtEnd(process, lastOpen);
    this.#endWork.set(process, work);
    // As long as anything is accepted. The first failure is that of several records, the others are those of bad ones.
    const isHopeless = 2 * work.bad >= openAtEnd.length || work.bad >= FAILURES_BEFORE_OTHERS - 1;
    if (process.acknowledged === 0 && work.bad > 0 && isHopeless) return;
    // Without a response, half of the time is lost, and records of the same request may be. A spool keeps the rest.
    const isInMemory = options.spool === undefined;
    if (work.hanging > 0 && (work.bad > 1 || entry.failed > 0 || !isInMemory)) return;
    // Those that were left by other processes take time, too.
    if (process.stats.accepted > process.accepted) return;
    // Later ones have no chance after `close()`, nor if nothing was accepted before them. A writer may still wait.
    const { acceptedAt = Number.POSITIVE_INFINITY } = entry;
    const isLate = entry.number > lastOpen || acceptedAt > endingSince;
    const isSlow = this.#plan.service.msPerRecord > 0;
    if (isLate && (ending === 'close' || work.bad > 0 || isSlow)) return;
    const fromMs = endingSince - options.requestTimeoutMs;
    const isTroubled = this.#plan.service.troubles.some(
      (trouble) => trouble.fromMs <= (process.diedAt ?? this.#clock.now()) && trouble.untilMs >= fromMs,
    );
    // Between failures is a pause, and each bad record may fail twice before a good one is found.
    const searchMs = 2 * (work.bad - work.hanging) * options.minRetryDelayMs;
    const neededMs = CLOSE_ALLOWANCE_MS + searchMs + 2 * work.ms;
    if (!isTroubled && neededMs < options.closeTimeoutMs / (1 + work.hanging)) {
      this.#break(
        'close delivers',
        `record ${entry.number} was not delivered at the end, which needs ${Math.round(neededMs)} ms`,
      );
    }
  }

  /** @param ended processes: the next ones may not know what the last one has delivered. */
  stored(entry: Entry, process: SimulatedProcess, ended: number): void {
    const again = this.#plan.options.spool === undefined ? 0 : ended;
    if (entry.stored > entry.unacknowledged + 1 + again) {
      this.#break(
        'copies',
        `record ${entry.number} was stored ${entry.stored} times, ${entry.unacknowledged} acknowledgments were lost`,
      );
    }
    if (
      entry.process !== process.number ||
      entry.stored > 1 ||
      (this.#plan.options.maxRequestsInFlight ?? 1) > 1
    )
      return;
    // Drops that are not reported yet look like records that were overtaken.
    if (process.stats.dropped.overflow > (process.reported.overflow ?? 0)) return;
    const failures = this.#failuresBeforeOthers(process);
    let mayOvertake = entry.sentAfter >= failures;
    const older = this.#oldestOpen(entry.process, (other) => {
      mayOvertake ||= other.failed >= failures;
      return other.acceptedAt !== undefined && other.stored === 0 && this.isAcceptable(other);
    });
    if (older === undefined || older.number > entry.number) return;
    // An adopted record may be at fault.
    mayOvertake ||= this.#ledger.entries.some(
      (other) => other.acknowledged === 0 && other.process !== process.number && other.failed >= failures,
    );
    if (!mayOvertake && older.acceptedAt! > (this.#overtakenUntil[process.number] ?? -1)) {
      const reason = `whose requests failed ${older.failed} times`;
      this.#break('order', `record ${entry.number} arrived before ${older.number}, ${reason}`);
    }
  }

  /** Called at the end of a run, when no process is left. */
  checkLosses(processes: readonly SimulatedProcess[]): void {
    const lost = this.#ledger.entries.find(
      // A process that was killed may have dropped records that it had not reported yet.
      (entry) => isOpen(entry) && this.isAcceptable(entry) && processes[entry.process]!.unreportedDrops === 0,
    );
    if (lost !== undefined)
      this.#break('no loss', `record ${lost.number} of process ${lost.process} is missing`);
  }

  /** Called at the end of a run. */
  checkOutages({ requests }: SimulatedService, processes: readonly SimulatedProcess[]): void {
    const { service, options, programs } = this.#plan;
    const { minRetryDelayMs = 1_000, maxRetryDelayMs = 30_000, maxRequestsInFlight = 1 } = options;
    for (const { share, fromMs, untilMs, answer } of service.troubles) {
      const isEnding = processes.some(
        ({ endingSince = -1 }) => endingSince >= fromMs && endingSince < untilMs,
      );
      if (share < 1 || isEnding) continue;
      const count = requests.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs).length;
      const perRequest =
        8 + Math.log2(maxRetryDelayMs / minRetryDelayMs) + (4 * (untilMs - fromMs)) / maxRetryDelayMs;
      // Each record at fault has pauses of its own.
      const bad = this.#ledger.entries.filter((entry) => !this.isAcceptable(entry)).length;
      const allowed = (programs.length * maxRequestsInFlight * 2 + bad) * perRequest;
      if (count > allowed) {
        this.#break(
          'few requests in an outage',
          `${count} requests from ${fromMs} to ${untilMs} ms (${answer}, allowed: ${Math.round(allowed)})`,
        );
      }
    }
  }
}

function isHanging({ answer }: Entry): boolean {
  return answer === 'hang';
}
