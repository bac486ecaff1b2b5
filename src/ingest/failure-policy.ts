import { backoffDelay } from '../core/backoff.ts';
import type { Batch } from './batch/batch.ts';
import { split } from './batch/batch-builder.ts';
import type { BatchSizeLimit } from './batch/batch-size-limit.ts';
import { type Delay, NO_DELAY, RetryBackoff, type RetryBackoffOptions } from './send/retry-backoff.ts';
import type { RetryableOutcome, SendOutcome } from './send/sender.ts';

/** After this many failures in a row, other records are tried. */
const SEVERAL = 3;
/** A record is dropped at its next failure after this many failures in a row with evidence that others are accepted. */
const PROOFS = 8;
/** Evidence: this many requests with one record were accepted after the failure, and none failed. */
const CONTROLS = 2;
/** Lone suspects that are sent in a row. */
const MAX_SUSPECTS = 10;
/** Failures in a row without a pause while the cause of earlier ones is isolated. */
const UNPAUSED = 6;
/** Isolating one invalid record among a million takes 20 rejections. */
const REJECTIONS_AT_FULL_SPEED = 32;
/** If the service has accepted nothing yet, this many rejected records are believed to be invalid. */
const MAX_FIRST_REJECTIONS = 10;
/** When time is short, delivery ends after this many refusals in a row by a service that has accepted records before. */
const FINAL_REFUSALS = 10;
/** Share of the time limit within which a request counts as fast. One of twice the size then has time, too. */
const FAST = 0.25;
/** From one record of a batch to the next that is tried alone. It is prime, so all are tried before any is tried again. */
const STRIDE = 1_007_179;

const CONTENT_TOO_LARGE = 413;

/** What is sent next. */
export interface Shipment {
  readonly batch: Batch;
  /** The batch itself, or one of its records, which shows whether the service accepts anything. */
  readonly sent: Batch;
  /** The batch without that record. */
  readonly rest: readonly Batch[];
  /** Number of the first response that arrives after it is sent. */
  readonly sentAt: number;
}

interface PolicyOptions extends RetryBackoffOptions {
  readonly maxRequestsInFlight: number;
}

/** A failure that is retried: nothing to report, counted, a warning, or a warning that nothing is delivered until a fix. */
export type RetryReport = 'nothing' | 'failure' | 'retry' | 'attention';

/**
 * Why delivery has ended: the time is up, no time is spent on what is left, the process exits before an attempt, or the
 * records were logged later.
 */
export type EndOfDelivery = 'outOfTime' | 'gaveUp' | 'atExit' | 'afterEnd';

/** What became of the records that were sent. */
export type Verdict = 'delivered' | 'dropped' | 'split' | 'kept';

/**
 * Decides what a failed request means and what is sent next, in memory, with a spool and at exit.
 *
 * The law: if the service accepts every record outside a set, each in some request, every record outside the set is
 * delivered soon, and those of the set are kept, or dropped alone for a reported reason.
 *
 * - A failure may depend on the records (most statuses, a reset), on the size (413, a timeout), or on neither (no
 *   connection, 429, any `Retry-After`): see `dependsOn`. The last kind is an outage: the same request is repeated.
 * - After several failures of a request, single records of all requests are tried. While none is accepted, it is an outage.
 * - If one is accepted, the request is a suspect: it is halved at full speed until the records at fault are alone, and
 *   others overtake it.
 * - A lone suspect is sent again between others. It is dropped once the service has accepted enough others in between.
 * - After a timeout, requests are halved, whatever the cause.
 */
export class FailurePolicy {
  readonly #options: PolicyOptions;
  readonly #sizeLimit: BatchSizeLimit;
  readonly #backoff: RetryBackoff;
  /** Processes with the same record at fault don't send it at the same time. */
  readonly #phaseMs: number;
  /** Numbers the responses. */
  #responses = 0;
  /** The latest {@link Shipment.sentAt} of accepted records; 0 if there are none. */
  #acceptedAt = 0;
  /** Failures in a row, without those of lone suspects, and how many of them may depend on what was sent. */
  #failures = 0;
  #inARow = 0;
  #rejectionsInARow = 0;
  #firstRejections = 0;
  /** Single records, no suspects, that were accepted and that failed. */
  readonly #controls = { accepted: 0, failed: 0 };
  /** Controls to send, because a lone suspect has failed. */
  #controlsDue = 0;
  /** Number of the last response before time got short; `undefined` as long as it is not. */
  #hurriedAt: number | undefined;
  /** Requests with lone suspects that others have paid for, by their responses: at most every second one is for a suspect. */
  #suspectCredit = 0;

  constructor(options: PolicyOptions, sizeLimit: BatchSizeLimit) {
    this.#options = options;
    this.#sizeLimit = sizeLimit;
    this.#backoff = new RetryBackoff(options);
    this.#phaseMs = (options.random ?? Math.random)() * options.minRetryDelayMs;
  }

  /** True at the end of a process, when there is no time to wait for a fix. */
  get isHurried(): boolean {
    return this.#hurriedAt !== undefined;
  }

  set isHurried(isHurried: boolean) {
    if (isHurried && !this.isHurried) this.#failures = this.#inARow = 0;
    this.#hurriedAt = isHurried ? (this.#hurriedAt ?? this.#responses) : undefined;
  }

  /** True if records of further batches should be tried. */
  get needsOthers(): boolean {
    return this.#inARow >= this.#several;
  }

  get #several(): number {
    return this.isHurried ? 1 : SEVERAL;
  }

  /**
   * Chooses among the waiting batches, oldest first.
   *
   * @param replace called with a batch that is sent in parts.
   * @returns `undefined` if none may be sent now.
   */
  next(
    waiting: readonly Batch[],
    replace: (batch: Batch, parts: readonly Batch[]) => void,
  ): Shipment | undefined {
    const due = waiting.filter((batch) => this.#isDue(batch));
    const others = due.filter((batch) => !isLoneSuspect(batch));
    // In turn: one of them may be fine again.
    const suspect = leastTried(due.filter(isLoneSuspect));
    const isSuspectDue = suspect !== undefined && this.#suspectCredit > 0;
    const isOthersTurn = others.length > 0 && (this.isHurried || !isSuspectDue);
    if (this.needsOthers && isOthersTurn) return this.#probe(others);
    if (suspect !== undefined && (!isOthersTurn || this.isHurried)) {
      this.#suspectCredit = Math.max(0, this.#suspectCredit - 1);
      return this.#ship(suspect);
    }
    const ready = others.filter((other) => this.#isReady(other));
    // When time is short, each attempt without a response costs half of it.
    const [batch] = this.isHurried ? ready.toSorted((a, b) => a.history.turns - b.history.turns) : ready;
    if (batch === undefined) return others.length === 0 ? undefined : this.#probe(others);
    const isControlDue = this.#controlsDue > 0 && waiting.some(isLoneSuspect) && !this.isHurried;
    const control = isControlDue ? this.#control(ready) : undefined;
    if (control !== undefined) return this.#probe([control]);
    const { history } = batch;
    const isAtFault = history.failedAt > 0 && (history.isSuspect || history.failures >= this.#several);
    if (isAtFault) history.isSuspect = true;
    const hasHung = history.failedAt > 0 && this.isHurried;
    const isTooLarge = batch.byteLength > this.#sizeLimit.sentBytes;
    if (batch.length === 1 || !(isAtFault || hasHung || isTooLarge)) return this.#ship(batch);
    if (isAtFault || hasHung) history.failedAt = 0; // One of its parts may be fine.
    replace(batch, split(batch));
    return this.next(waiting, replace);
  }

  /**
   * A rejection is about the records, so it is final for a single one. But proxies send 413, too, and a service that has
   * accepted nothing may reject everything: that is a failure like others.
   */
  doubted(outcome: SendOutcome, { length, byteLength }: Batch): SendOutcome {
    if (outcome.kind !== 'rejected' || outcome.statusCode === 0) return outcome;
    const isTooLarge = outcome.statusCode === CONTENT_TOO_LARGE;
    if (isTooLarge) this.#sizeLimit.rejected(byteLength, length);
    if (length > 1) return outcome;
    const isFirst = this.#acceptedAt === 0 && !isTooLarge;
    const isDoubtful = isTooLarge || (isFirst && ++this.#firstRejections > MAX_FIRST_REJECTIONS);
    const { reason, error } = outcome;
    return isDoubtful ? { kind: 'retryable', dependsOn: 'records', reason, error } : outcome;
  }

  /** Records a response. @param tookShare the share of its time limit that the request took. */
  judge({ batch, sent, sentAt }: Shipment, outcome: SendOutcome, tookShare: number): Verdict {
    this.#responses++;
    const { history } = batch;
    const isControl = sent.length === 1 && !history.isSuspect;
    if (!isLoneSuspect(batch)) this.#suspectCredit = Math.min(MAX_SUSPECTS, this.#suspectCredit + 1);
    if (isControl && this.#controlsDue > 0) this.#controlsDue--;
    if (outcome.kind !== 'retryable') this.#failures = 0;
    if (outcome.kind === 'delivered') {
      if (isControl) this.#controls.accepted++;
      this.#sizeLimit.delivered(sent.byteLength, tookShare <= FAST);
      this.#backoff.responded();
      this.#acceptedAt = Math.max(this.#acceptedAt, sentAt);
      this.#inARow = 0;
      this.#rejectionsInARow = 0;
      return 'delivered';
    }
    if (outcome.kind === 'rejected') {
      this.#rejectionsInARow++;
      return sent.length > 1 && outcome.statusCode > 0 ? 'split' : 'dropped';
    }
    if (isControl) this.#controls.failed++;
    history.triedAt = this.#responses;
    // The delays of an outage say nothing about the records.
    if (outcome.dependsOn !== undefined && this.#inARow === 0) this.#failures = 0;
    if (!isLoneSuspect(batch) || outcome.dependsOn === undefined) this.#failures++;
    if (outcome.dependsOn === undefined) return 'kept';
    if (!isLoneSuspect(batch)) this.#inARow++;
    const isSlow = outcome.dependsOn === 'size';
    if (sent.length === 1 || (isSlow && this.isHurried)) history.turns++;
    if (isSlow && sent.length > 1) {
      if (this.isHurried) history.failedAt = this.#responses;
      this.#sizeLimit.timedOut(sent.byteLength);
      return 'kept';
    }
    if (sent !== batch) return 'kept';
    history.failures++;
    history.failedAt = this.#responses;
    return isLoneSuspect(batch) && this.#isProven(batch) ? 'dropped' : 'kept';
  }

  /** True if there is no time left to find the cause. */
  isFinal(outcome: SendOutcome): boolean {
    if (!this.isHurried || outcome.kind === 'delivered' || outcome.kind === 'rejected') return false;
    // No one fixes an address in the last seconds of a program.
    if (outcome.needsAttention && outcome.dependsOn === undefined) return true;
    const limit = this.#acceptedAt === 0 ? SEVERAL : FINAL_REFUSALS;
    return outcome.needsAttention === true && this.#inARow >= limit;
  }

  /** What users should know of a failure that is retried. */
  report({ batch }: Shipment, outcome: RetryableOutcome): RetryReport {
    if (batch.history.isSuspect && outcome.dependsOn !== undefined) return 'nothing';
    const isAlone = outcome.dependsOn !== undefined && this.#acceptedAt > 0 && this.#attempt <= SEVERAL;
    if (outcome.needsAttention && !isAlone) return 'attention';
    // Before a deadline, only the final failure is worth a warning.
    const isKnown = this.#attempt > 1 || outcome.dependsOn === 'size';
    return isKnown && !this.isHurried ? 'retry' : 'failure';
  }

  /** Failures in a row of each of the requests in flight, from 1. */
  get #attempt(): number {
    return Math.ceil(this.#failures / this.#options.maxRequestsInFlight);
  }

  /** The pause after a response. */
  delay({ batch }: Shipment, outcome: SendOutcome, waiting: readonly Batch[]): Delay {
    if (outcome.kind === 'delivered') return NO_DELAY;
    const { minRetryDelayMs: firstBoundMs, maxRetryDelayMs: maxDelayMs, random } = this.#options;
    if (outcome.kind === 'rejected') {
      const extra = this.#rejectionsInARow - REJECTIONS_AT_FULL_SPEED;
      const ownMs = extra < 0 ? 0 : backoffDelay(extra, { firstBoundMs, maxDelayMs, random });
      return { requestedMs: 0, ownMs };
    }
    const { dependsOn, needsAttention } = outcome;
    const isExpected = dependsOn !== undefined && isLoneSuspect(batch);
    if (isExpected || (needsAttention && this.isHurried)) return NO_DELAY;
    const attempt = this.#attempt;
    const isIsolating = dependsOn !== undefined && waiting.some(({ history }) => history.isSuspect);
    if (isIsolating && attempt <= UNPAUSED) return NO_DELAY;
    // The delays start again with the first single record, so that several are tried soon.
    const isProbing = dependsOn !== undefined && attempt > SEVERAL;
    const doublings = isProbing ? attempt - SEVERAL - 1 : attempt - 1;
    const delay = this.#backoff.failed(outcome, doublings + 1);
    if (!needsAttention || (dependsOn !== undefined && attempt <= SEVERAL)) return delay;
    return { ...delay, ownMs: isProbing ? Math.min(maxDelayMs, firstBoundMs * 2 ** doublings) : maxDelayMs };
  }

  #isDue({ history, length }: Batch): boolean {
    if (this.#hurriedAt === undefined) return !history.isResting;
    return !(history.isSuspect && length === 1) || history.failedAt <= this.#hurriedAt;
  }

  /** False for a batch that has failed, and nothing was accepted since. */
  #isReady({ history: { failures, failedAt, isSuspect } }: Batch): boolean {
    if (failedAt === 0 || this.#acceptedAt > failedAt) return true;
    return !isSuspect && failures < this.#several;
  }

  /** The batch whose records show whether the service accepts anything: not one whose records have failed before. */
  #control(ready: readonly Batch[]): Batch | undefined {
    return ready
      .filter(({ history }) => !history.isSuspect && history.turns < this.#several)
      .toSorted((a, b) => a.history.triedAt - b.history.triedAt)[0];
  }

  /**
   * Sends a single record: first the oldest, so that a short outage changes no order, then one of the batch that was not tried
   * for longest, the newest of these: older ones are more likely to be at fault. Its records take turns, spread over it.
   */
  #probe(batches: readonly Batch[]): Shipment {
    const [oldest] = batches;
    const isUntried = !this.isHurried || oldest!.history.turns === 0;
    const isFirst = this.#inARow === this.#several && isUntried;
    const batch = isFirst ? oldest! : leastTried(batches)!;
    const { length, history } = batch;
    if (length === 1) return this.#ship(batch);
    const index = (history.turns * STRIDE) % length;
    const rest = split(batch, index);
    const [sent] = rest.splice(index === 0 ? 0 : 1, 1);
    // Those that are alone now were never tried alone.
    for (const part of rest) if (part.length === 1) part.history.failedAt = 0;
    return this.#ship(batch, sent, rest);
  }

  #ship(batch: Batch, sent = batch, rest: readonly Batch[] = []): Shipment {
    return { batch, sent, rest, sentAt: this.#responses + 1 };
  }

  /** Records a failure of a lone suspect. @returns whether it is surely the fault of the record. */
  #isProven({ history }: Batch): boolean {
    const { accepted, failed } = this.#controls;
    const isDoubtful = failed !== history.failed;
    const hasEvidence = !isDoubtful && accepted - history.accepted >= CONTROLS;
    if (hasEvidence && history.proofs >= PROOFS) return true;
    if (isDoubtful) history.proofs = 0;
    if (hasEvidence) history.proofs++;
    history.unproven = hasEvidence ? 0 : history.unproven + 1;
    if (hasEvidence || isDoubtful) Object.assign(history, { accepted, failed });
    this.#controlsDue = CONTROLS;
    return false;
  }

  /** How long a lone suspect rests. Those of a process are sent together, so that the same controls count for all. */
  restMs({ history }: Batch, nowMs: number): number {
    const { minRetryDelayMs, maxRetryDelayMs } = this.#options;
    const restMs = Math.min(maxRetryDelayMs, minRetryDelayMs * 2 ** history.unproven);
    return restMs + minRetryDelayMs - ((nowMs + this.#phaseMs) % minRetryDelayMs);
  }
}

/** The batch that was not tried for longest, the newest of these. */
function leastTried([first, ...others]: readonly Batch[]): Batch | undefined {
  return others.reduce(
    (least, each) => (each.history.triedAt <= least!.history.triedAt ? each : least),
    first,
  );
}

/** True after a failure of the batch, or of one of its records. */
export function hasFailed({ history }: Batch): boolean {
  return history.triedAt > 0;
}

/** True for a record that is at fault, as far as is known: it has failed alone. */
export function isLoneSuspect({ history, length }: Batch): boolean {
  return history.isSuspect && length === 1 && history.failedAt > 0;
}
