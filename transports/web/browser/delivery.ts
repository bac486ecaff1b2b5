import { MAX_TIMER_MS } from '../../../src/core/timer-limit.ts';
import type { BrowserRecordsError } from '../../../src/core/wire/browser-records.ts';
import type { BrowserGlobals, BrowserResponse } from './browser-globals.ts';
import { LostRecords } from './lost-records.ts';

/** Records as JSON. */
type Batch = readonly string[];

/** Half of what a browser sends in the background, so that a beacon fits beside a request. */
const MAX_BATCH_BYTES = 32_000;
/** Browsers send 64 KiB in the background at the same time. */
const MAX_BEACON_BYTES = 64_000;
const MIN_BEACON_BYTES = 500;
const REQUEST_TIMEOUT_MS = 30_000;
const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 60_000;

/** Counters of a logger. `logged` always equals the sum of the others. */
export interface LoggerStats {
  /** Records of an enabled level. */
  readonly logged: number;
  /** Records that the handler has accepted. */
  readonly delivered: number;
  /** Records that the browser sends after the page has ended, which nothing confirms. */
  readonly beaconed: number;
  /** Records that wait or are being sent. */
  readonly pending: number;
  /** Records that were rejected or did not fit. Their number is reported with the next request. */
  readonly dropped: number;
}

/** Counters that {@link Delivery} raises. */
export type Counts = { -readonly [Name in Exclude<keyof LoggerStats, 'pending'>]: number };

export interface DeliveryOptions {
  readonly url: string;
  readonly visitId: string;
  readonly flushIntervalMs: number;
  readonly maxQueueBytes: number;
}

/** Sends records in batches, one request at a time, and retries until the handler accepts them. */
export class Delivery {
  readonly #globals: BrowserGlobals;
  readonly #options: DeliveryOptions;
  readonly #saved: LostRecords;
  /** Records that wait, in order. */
  #queue: string[] = [];
  #queueBytes = 0;
  #inFlight: Batch = [];
  /** Number of queued and lost records in the storage, from the end of the page until it is shown again. */
  #savedSize = 0;
  /** Number of lost records to report. */
  #lost = 0;
  readonly #counts: Counts;
  #maxBatchBytes = MAX_BATCH_BYTES;
  /** Halved after a failure, and doubled again: a record that a firewall rejects is found, and sent after the others. */
  #trialBytes = MAX_BATCH_BYTES;
  #failures = 0;
  /** Runs until the next attempt after a failure. Not a time, because clocks are set. */
  #retryTimer: unknown;
  #timer: unknown;
  #sending: Promise<boolean> | undefined;
  #hasEnded = false;
  /** True if the page may not send to the handler. */
  #isBlocked = false;
  #warned = '';

  constructor(globals: BrowserGlobals, options: DeliveryOptions, counts: Counts) {
    this.#globals = globals;
    this.#options = options;
    this.#counts = counts;
    this.#saved = new LostRecords(globals, options.url, options.visitId);
    this.#saved.collect((count) => {
      this.#lost += count;
      this.#schedule();
    });
    // A hidden page may never run again.
    globals.addEventListener('visibilitychange', () => void this.flush());
    globals.addEventListener('pagehide', () => this.#end());
    globals.addEventListener('pageshow', () => this.#resume());
    globals.addEventListener('online', () => this.#retry());
    globals.addEventListener('securitypolicyviolation', ({ blockedURI, disposition }) => {
      if (blockedURI !== this.#target.href || disposition !== 'enforce') return;
      this.#isBlocked = true;
      this.#warnOnce('kept', blockedURI, 'is blocked by the CSP');
    });
  }

  /** Counts a record that can't be read. */
  lose(): void {
    this.#counts.logged++;
    this.#drop(1);
  }

  add(text: string): void {
    this.#takeBack();
    this.#counts.logged++;
    this.#enqueue([text], false);
    if (this.#hasEnded) this.#end();
    else if (this.#queueBytes >= this.#maxBatchBytes && this.#sending === undefined) void this.flush();
    else this.#schedule();
  }

  /** See `Logger.flush`. */
  async flush(): Promise<boolean> {
    do {
      if (this.#canSend) this.#sending ??= this.#post().finally(() => (this.#sending = undefined));
    } while (await this.#sending);
    return !this.#queue.length;
  }

  #schedule(): void {
    this.#timer ??= this.#globals.setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, this.#options.flushIntervalMs);
  }

  /** Adds records before the others, or behind them. The oldest are dropped if they don't fit. */
  #enqueue(batch: Batch, isNext = true): void {
    this.#queue = isNext ? [...batch, ...this.#queue] : [...this.#queue, ...batch];
    this.#queueBytes += bytesOf(batch);
    while (this.#queueBytes > this.#options.maxQueueBytes) this.#drop(this.#take(0).length);
  }

  /** Removes the oldest records of this size, at least one. */
  #take(maxBytes: number): Batch {
    let bytes = 0;
    const rest = this.#queue.findIndex((text, index) => {
      bytes += bytesOf([text]);
      return bytes > maxBytes && index > 0;
    });
    const batch = this.#queue.splice(0, rest < 0 ? this.#queue.length : rest);
    this.#queueBytes -= bytesOf(batch);
    return batch;
  }

  #drop(count: number): void {
    this.#counts.dropped += count;
    this.#lost += count;
  }

  /** Whether there is something to send. */
  get #canSend(): boolean {
    return this.#size > 0 && !this.#hasEnded && !this.#isBlocked && this.#isOnline && !this.#retryTimer;
  }

  /** Number of records to send or to report as lost. */
  get #size(): number {
    return this.#queue.length + this.#lost;
  }

  get #isOnline(): boolean {
    return this.#globals.navigator.onLine !== false;
  }

  /** @returns whether to go on. */
  async #post(): Promise<boolean> {
    const batch = this.#take(Math.min(this.#maxBatchBytes, this.#trialBytes));
    const lost = this.#lost;
    this.#inFlight = batch;
    this.#lost = 0;
    const response = await this.#fetch(serializeBody(batch, lost)).catch(() => null);
    const status = response?.status ?? 503;
    const answer = (await response?.json().catch(() => null)) as Partial<BrowserRecordsError> | null;
    // A login page, a proxy or a firewall may respond. The handler itself responds with 405 if a redirect made a GET of it.
    const isForeign = status < 400 || status === 405 || !answer?.reason;
    this.#inFlight = [];
    if (status === 204) {
      this.#counts.delivered += batch.length;
      this.#failures = 0;
      this.#trialBytes = 2 * Math.max(this.#trialBytes, bytesOf(batch));
      return true;
    }
    this.#lost += lost;
    const isTooLarge = status === 413;
    if (!isTooLarge && (isForeign || status === 408 || status === 429 || status >= 500)) {
      const rest = batch.slice(answer?.accepted);
      this.#counts.delivered += batch.length - rest.length;
      if (isForeign) this.#trialBytes = bytesOf(batch) / 2;
      this.#enqueue(rest, !isForeign || rest.length > 1);
      this.#backOff(response);
      if (isForeign && status < 500) this.#warnOnce('kept', response!.url, `responded with status ${status}`);
      return false;
    }
    this.#failures = 0;
    if (isTooLarge && batch.length > 1) {
      this.#maxBatchBytes = bytesOf(batch) / 2;
      this.#enqueue(batch);
      return true;
    }
    this.#drop(batch.length);
    this.#warnOnce('dropped', response!.url, `responded with status ${status}`);
    return this.#queue.length > 0;
  }

  /** Throws if the URL is invalid, such as a relative one in a page without an address. */
  get #target(): URL {
    return new URL(this.#options.url, this.#globals.document?.baseURI ?? this.#globals.location!.href);
  }

  async #fetch(body: string): Promise<BrowserResponse> {
    return this.#globals.fetch(this.#options.url, {
      method: 'POST',
      // Needs no preflight request.
      headers: { 'content-type': 'text/plain' },
      body,
      keepalive: true,
      // A redirect must not pass the records on to another origin.
      mode: this.#target.origin === this.#globals.origin ? 'same-origin' : 'cors',
      signal: AbortSignal.timeout?.(REQUEST_TIMEOUT_MS),
    });
  }

  #backOff(response: BrowserResponse | null): void {
    const delayMs = Math.min(MIN_RETRY_DELAY_MS * 2 ** this.#failures++, MAX_RETRY_DELAY_MS);
    const requestedMs = Number(response?.headers.get('retry-after')) * 1000 || 0;
    const waitMs = Math.min(Math.max(delayMs * (0.5 + Math.random() / 2), requestedMs), MAX_TIMER_MS);
    this.#retryTimer = this.#globals.setTimeout(() => this.#retry(), waitMs);
  }

  #retry(): void {
    this.#globals.clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    void this.flush();
  }

  #warnOnce(outcome: 'kept' | 'dropped', url: string, reason: string): void {
    if (this.#warned === outcome) return;
    this.#warned = outcome;
    // biome-ignore lint/suspicious/noConsole: there is nowhere else to report it.
    console.warn(`logclient: records ${outcome}, because ${url} ${reason}.`);
  }

  /** Gives the browser what it sends after the page has ended, and saves the count of the rest. */
  #end(): void {
    this.#takeBack();
    this.#hasEnded = true;
    // The response to a beacon is unknown. If it is likely to fail, the records are counted.
    if (this.#isOnline && !this.#failures) this.#sendBeacons();
    if (this.#size > 0 && this.#saved.save(this.#size)) this.#savedSize = this.#size;
  }

  #sendBeacons(): void {
    let room = MAX_BEACON_BYTES - bytesOf(this.#inFlight);
    while (this.#size > 0 && room > MIN_BEACON_BYTES) {
      const batch = this.#take(room);
      if (this.#globals.navigator.sendBeacon?.(this.#options.url, serializeBody(batch, this.#lost))) {
        room -= bytesOf(batch);
        this.#counts.beaconed += batch.length;
        this.#lost = 0;
      } else {
        room /= 2;
        this.#enqueue(batch);
      }
    }
  }

  /** The browser shows the page again, for example after "Back". */
  #resume(): void {
    this.#hasEnded = false;
    this.#takeBack();
    if (this.#queue.length > 0) this.#schedule();
  }

  /** Removes the saved number. If another page has reported it, the records must not be sent. */
  #takeBack(): void {
    if (this.#savedSize > 0 && !this.#saved.takeBack()) {
      this.#lost = this.#size - this.#savedSize;
      this.#counts.dropped += this.#take(Number.POSITIVE_INFINITY).length;
    }
    this.#savedSize = 0;
  }
}

function serializeBody(batch: Batch, lost: number): string {
  return `{"sentAt":${Date.now()},"lost":${lost},"records":[${batch}]}`;
}

/** Size of the records in a request, with their separators. */
function bytesOf(batch: Batch): number {
  return new TextEncoder().encode(batch.join('')).length + batch.length;
}
