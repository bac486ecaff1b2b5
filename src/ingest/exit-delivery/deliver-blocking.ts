import { gzipSync } from 'node:zlib';
import { backoffDelay } from '../../internal/backoff.ts';
import { systemClock } from '../../internal/clock.ts';
import { type BlockingCall, BlockingCaller } from '../../web/blocking-caller.ts';
import { BatchSizeLimit } from '../batch-size-limit.ts';
import { CONTENT_TOO_LARGE, HELPED_BY_SPLITTING } from '../courier.ts';
import { DeliveryReport } from '../delivery-report.ts';
import { judgeFailure } from '../http-sender.ts';
import {
  type IngesterOptions,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from '../ingester-options.ts';
import type { IngestRecord } from '../record.ts';
import type { RetryableOutcome, SendOutcome } from '../sender.ts';
import { Warnings } from '../warnings.ts';
import { NO_RECORDS } from '../worker/combined-stats.ts';
import { ExitBooks } from './exit-books.ts';
import type { ExitDelivery } from './exit-protocol.ts';
import { deliveryTimeLeft } from './exit-time.ts';

export interface BlockingDeliveryOptions {
  /** When nobody waits any more, in epoch milliseconds. */
  readonly deadline: number;
  /** How long the worker may take to begin, in milliseconds. */
  readonly startTimeoutMs: number;
}

/** The longest wait before a retry that the service did not ask for. */
const RETRY_DELAY_MS = 500;

/** In less time there is no answer to be had. */
const MIN_ATTEMPT_MS = 50;

/**
 * Delivers records while this thread stands still, one request after the other, by the rules of the ingester.
 *
 * @param options plain data
 * @throws Error when no requests can be made
 */
export function deliverBlocking(
  options: IngesterOptions,
  records: readonly IngestRecord[],
  { deadline, startTimeoutMs }: BlockingDeliveryOptions,
): ExitDelivery {
  const resolved = resolveIngesterOptions(options);
  const { connection, token } = resolved;
  const headers = { ...connection.headers, authorization: `Bearer ${token}` };
  const caller = new BlockingCaller({ baseUrl: connection.baseUrl, headers, startTimeoutMs });
  try {
    return new BlockingDelivery(resolved, caller, Date.now() + deliveryTimeLeft(options, deadline)).run(
      records,
    );
  } finally {
    caller.close();
  }
}

class BlockingDelivery {
  readonly #options: ResolvedIngesterOptions;
  readonly #caller: BlockingCaller;
  /** When the last attempt must be over, in epoch milliseconds. */
  readonly #deadline: number;
  readonly #books = new ExitBooks();
  readonly #report: DeliveryReport;
  readonly #sizeLimit: BatchSizeLimit;

  constructor(options: ResolvedIngesterOptions, caller: BlockingCaller, deadline: number) {
    this.#options = options;
    this.#caller = caller;
    this.#deadline = deadline;
    this.#sizeLimit = new BatchSizeLimit(options.maxBatchBytes);
    this.#report = new DeliveryReport(options, {
      warnings: new Warnings(systemClock, () => {}, this.#books),
      clock: systemClock,
      observer: this.#books,
    });
  }

  run(records: readonly IngestRecord[]): ExitDelivery {
    let settled = 0;
    /** Where the requests end that must not be larger than the one before, which was refused. */
    const ends = [records.length];
    while (settled < records.length) {
      const end = this.#endOfBatch(records, settled, ends.at(-1)!);
      const batch = records.slice(settled, end);
      const outcome = this.#send(batch);
      if (outcome.kind === 'retryable') break;
      if (this.#settle(batch, outcome)) {
        settled = end;
        if (end === ends.at(-1)) ends.pop();
      } else ends.push(settled + Math.ceil(batch.length / 2));
    }
    const left = records.slice(settled);
    this.#report.closed({ length: left.length, read: () => left }, 'outOfTime');
    return this.#books.close(this.#report.stats(NO_RECORDS));
  }

  #endOfBatch(records: readonly IngestRecord[], from: number, maxEnd: number): number {
    const last = Math.min(maxEnd, from + this.#options.maxBatchRecords);
    let bytes = records[from]!.byteLength;
    let end = from + 1;
    while (end < last && bytes + records[end]!.byteLength <= this.#sizeLimit.maxBytes) {
      bytes += records[end++]!.byteLength;
    }
    return end;
  }

  /** @returns a retryable outcome when there is no time left, or no prospect */
  #send(batch: readonly IngestRecord[]): SendOutcome {
    const body = this.#encode(batch);
    for (let attempt = 1; ; attempt++) {
      const outcome = this.#attempt(body);
      // What fails because there is no time left says nothing about the service.
      if (outcome.kind !== 'retryable' || Date.now() >= this.#deadline) return outcome;
      this.#report.retried(outcome, attempt);
      // Nobody mends a token in the last seconds of a program.
      if (outcome.needsAttention || !this.#pause(outcome, attempt)) return outcome;
    }
  }

  #attempt(request: Omit<BlockingCall, 'timeoutMs'>): SendOutcome {
    const { endpoint, requestTimeoutMs } = this.#options;
    try {
      const timeoutMs = Math.max(1, Math.min(requestTimeoutMs, this.#deadline - Date.now()));
      this.#caller.post(endpoint, { ...request, timeoutMs });
      return { kind: 'delivered' };
    } catch (error) {
      return judgeFailure(error);
    }
  }

  #encode(batch: readonly IngestRecord[]): Omit<BlockingCall, 'timeoutMs'> {
    const plain = Buffer.from(requestBody(batch));
    const headers = { 'content-type': 'application/json' };
    if (this.#options.compression === 'none') return { body: plain, headers };
    return { body: gzipSync(plain, { level: 1 }), headers: { ...headers, 'content-encoding': 'gzip' } };
  }

  /** Waits for the next attempt. @returns whether there is time for one */
  #pause({ retryAfterMs = 0 }: RetryableOutcome, attempt: number): boolean {
    const { minRetryDelayMs, maxRetryDelayMs } = this.#options;
    const ownMs = backoffDelay(attempt - 1, { minDelayMs: minRetryDelayMs, maxDelayMs: maxRetryDelayMs });
    const leftMs = this.#deadline - Date.now();
    const askedMs = retryAfterMs < leftMs ? retryAfterMs : 0;
    const delayMs = Math.max(askedMs, Math.min(ownMs, RETRY_DELAY_MS));
    if (delayMs + MIN_ATTEMPT_MS > leftMs) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
    return true;
  }

  /** @returns false when the batch has to be sent in halves */
  #settle(batch: readonly IngestRecord[], outcome: Exclude<SendOutcome, RetryableOutcome>): boolean {
    const bytes = batch.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (outcome.kind === 'delivered') {
      this.#report.delivered(batch.length);
      this.#sizeLimit.delivered(bytes);
      return true;
    }
    const { statusCode, reason } = outcome;
    if (statusCode === CONTENT_TOO_LARGE && batch.length > 1) this.#sizeLimit.refused(bytes);
    if (HELPED_BY_SPLITTING.includes(statusCode) && batch.length > 1) return false;
    this.#report.rejected({ length: batch.length, read: () => batch }, reason);
    return true;
  }
}

/** The body of a structured ingest request: one group for each set of tags. */
function requestBody(batch: readonly IngestRecord[]): string {
  const groups = new Map<string, string[]>();
  for (const { eventText, tagsText } of batch) {
    const events = groups.get(tagsText);
    if (events === undefined) groups.set(tagsText, [eventText]);
    else events.push(eventText);
  }
  return `[${[...groups].map(([tags, events]) => `{"tags":${tags},"events":[${events.join()}]}`).join()}]`;
}
