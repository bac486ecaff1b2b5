import type { BrowserRecordsError } from '../../../src/core/wire/browser-records.ts';
import type { BrowserGlobals, BrowserResponse } from './browser-globals.ts';
import { LostRecords } from './lost-records.ts';
import { type Batch, bytesOf, RecordQueue } from './record-queue.ts';

/** Half of what a browser sends in the background, so that a beacon fits beside a request. */
const MAX_BATCH_BYTES = 32_000;
/** Browsers send 64 KiB in the background at the same time. */
const MAX_BEACON_BYTES = 64_000;
const MIN_BEACON_BYTES = 500;
const REQUEST_TIMEOUT_MS = 30_000;
const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 60_000;
/** Longer timers fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

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
  readonly #counts: LostRecords;
  readonly #isSameOrigin: boolean;
  readonly #queue = new RecordQueue();
  #inFlight: Batch = [];
  /** Records that are counted in the storage while the page is hidden. */
  #parked: Batch = [];
  #parkedLost = 0;
  /** Number of lost records to report. */
  #lost = 0;
  #logged = 0;
  #delivered = 0;
  #beaconed = 0;
  #dropped = 0;
  #maxBatchBytes = MAX_BATCH_BYTES;
  /** Halved after a failure, and doubled again: a record that a firewall rejects is found, and sent after the others. */
  #trialBytes = MAX_BATCH_BYTES;
  #failures = 0;
  /** Runs until the next attempt after a failure. Not a time, because clocks are set. */
  #retryTimer: unknown;
  #timer: unknown;
  #sending: Promise<boolean> | undefined;
  #hasEnded = false;
  #warned = '';

  constructor(globals: BrowserGlobals, options: DeliveryOptions) {
    this.#globals = globals;
    this.#options = options;
    this.#counts = new LostRecords(globals, options.url, options.visitId);
    const base = globals.document?.baseURI ?? globals.location!.href;
    this.#isSameOrigin = new URL(options.url, base).origin === globals.origin;
    this.#counts.collect((count) => {
      this.#lost += count;
      this.#schedule(options.flushIntervalMs);
    });
    globals.addEventListener('visibilitychange', () => {
      if (globals.document?.visibilityState === 'hidden') void this.flush();
    });
    globals.addEventListener('pagehide', () => this.#end());
    globals.addEventListener('pageshow', () => this.#resume());
    globals.addEventListener('online', () => {
      this.#retry();
    });
  }

  get stats(): LoggerStats {
    return {
      logged: this.#logged,
      delivered: this.#delivered,
      beaconed: this.#beaconed,
      pending: this.#queue.length + this.#inFlight.length + this.#parked.length,
      dropped: this.#dropped,
    };
  }

  /** Counts a record that can't be read. */
  lose(): void {
    this.#logged++;
    this.#drop(1);
  }

  add(text: string): void {
    this.#logged++;
    this.#queue.push(text);
    this.#trim();
    if (this.#hasEnded) this.#end();
    else if (this.#queue.bytes >= this.#maxBatchBytes && this.#sending === undefined) void this.flush();
    else this.#schedule(this.#options.flushIntervalMs);
  }

  /** Sends queued records until all are delivered or dropped, or an attempt fails. Never rejects. */
  async flush(): Promise<void> {
    this.#globals.clearTimeout(this.#timer);
    this.#timer = undefined;
    while (await this.#send());
  }

  #schedule(delayMs: number): void {
    this.#timer ??= this.#globals.setTimeout(() => void this.flush(), delayMs);
  }

  #putBack(batch: Batch, isNext = true): void {
    this.#queue.putBack(batch, isNext);
    this.#trim();
  }

  #trim(): void {
    this.#drop(this.#queue.trim(this.#options.maxQueueBytes));
  }

  #drop(count: number): void {
    this.#dropped += count;
    this.#lost += count;
  }

  get #canSend(): boolean {
    return this.#queue.length + this.#lost > 0 && !this.#hasEnded && this.#isOnline;
  }

  get #isOnline(): boolean {
    return this.#globals.navigator.onLine !== false;
  }

  /** @returns whether to go on. */
  async #send(): Promise<boolean> {
    if (this.#sending !== undefined) return this.#sending;
    if (!this.#canSend || this.#retryTimer !== undefined) return false;
    this.#sending = this.#post();
    const goOn = await this.#sending;
    this.#sending = undefined;
    return goOn;
  }

  async #post(): Promise<boolean> {
    const batch = this.#queue.take(Math.min(this.#maxBatchBytes, this.#trialBytes));
    const lost = this.#lost;
    this.#inFlight = batch;
    this.#lost = 0;
    const response = await this.#fetch(serializeBody(batch, lost)).catch(() => undefined);
    const status = response?.status ?? 503;
    const answer = response && (await rejectionOf(response));
    this.#inFlight = [];
    if (status === 204) {
      this.#delivered += batch.length;
      this.#failures = 0;
      this.#trialBytes = 2 * Math.max(this.#trialBytes, bytesOf(batch));
      return true;
    }
    this.#lost += lost;
    const isTooLarge = status === 413;
    if (!isTooLarge && (!answer || status === 408 || status === 429 || status >= 500)) {
      const rest = batch.slice(Number(answer?.accepted) || 0);
      this.#delivered += batch.length - rest.length;
      if (!answer) this.#trialBytes = bytesOf(batch) / 2;
      this.#putBack(rest, answer !== undefined || rest.length > 1);
      this.#backOff(response);
      if (!answer && status < 500) this.#warn('kept', response!);
      return false;
    }
    this.#failures = 0;
    if (isTooLarge && batch.length > 1) {
      this.#maxBatchBytes = bytesOf(batch) / 2;
      this.#putBack(batch);
      return true;
    }
    this.#drop(batch.length);
    this.#warn('dropped', response!);
    return this.#queue.length > 0;
  }

  #fetch(body: string): Promise<BrowserResponse> {
    return this.#globals.fetch(this.#options.url, {
      method: 'POST',
      // Needs no preflight request.
      headers: { 'content-type': 'text/plain' },
      body,
      keepalive: true,
      // A redirect must not pass the records on to another origin.
      mode: this.#isSameOrigin ? 'same-origin' : 'cors',
      signal: AbortSignal.timeout?.(REQUEST_TIMEOUT_MS),
    });
  }

  #backOff(response: BrowserResponse | undefined): void {
    const delayMs = Math.min(MIN_RETRY_DELAY_MS * 2 ** this.#failures++, MAX_RETRY_DELAY_MS);
    const requestedMs = Number(response?.headers.get('retry-after')) * 1000 || 0;
    const waitMs = Math.max(delayMs * (0.5 + Math.random() / 2), requestedMs);
    this.#retryTimer = this.#globals.setTimeout(() => this.#retry(), Math.min(waitMs, MAX_TIMER_MS));
  }

  #retry(): void {
    this.#globals.clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    void this.flush();
  }

  #warn(outcome: 'kept' | 'dropped', { url, status }: BrowserResponse): void {
    if (this.#warned === outcome) return;
    this.#warned = outcome;
    // biome-ignore lint/suspicious/noConsole: there is nowhere else to report it.
    console.warn(`logclient: records ${outcome}, because ${url} responded with status ${status}.`);
  }

  /** Gives the browser what it sends after the page has ended, and saves the count of the rest. */
  #end(): void {
    this.#takeBack();
    this.#hasEnded = true;
    // The response to a beacon is unknown. If it is likely to fail, the records are counted.
    if (this.#isOnline && this.#failures === 0) this.#sendBeacons();
    const count = this.#queue.length + this.#lost;
    if (count === 0 || !this.#counts.save(count)) return;
    this.#parked = this.#queue.take(Number.POSITIVE_INFINITY);
    this.#parkedLost = this.#lost;
    this.#lost = 0;
  }

  #sendBeacons(): void {
    let room = MAX_BEACON_BYTES - bytesOf(this.#inFlight);
    while (this.#queue.length + this.#lost > 0 && room > MIN_BEACON_BYTES) {
      const batch = this.#queue.take(room);
      if (this.#beacon(serializeBody(batch, this.#lost))) {
        room -= bytesOf(batch);
        this.#beaconed += batch.length;
        this.#lost = 0;
      } else {
        room /= 2;
        this.#queue.putBack(batch);
      }
    }
  }

  #beacon(body: string): boolean {
    const { navigator } = this.#globals;
    if (navigator.sendBeacon !== undefined) return navigator.sendBeacon(this.#options.url, body);
    this.#fetch(body).catch(() => {});
    return true;
  }

  /** The browser shows the page again, for example after "Back". */
  #resume(): void {
    this.#hasEnded = false;
    this.#takeBack();
    if (this.#queue.length > 0) this.#schedule(this.#options.flushIntervalMs);
  }

  #takeBack(): void {
    if (this.#parked.length + this.#parkedLost === 0) return;
    if (this.#counts.takeBack()) {
      this.#queue.putBack(this.#parked);
      this.#lost += this.#parkedLost;
    } else this.#dropped += this.#parked.length;
    this.#parked = [];
    this.#parkedLost = 0;
  }
}

function serializeBody(batch: Batch, lost: number): string {
  return `{"sentAt":${Date.now()},"lost":${lost},"records":[${batch.map(({ text }) => text)}]}`;
}

/**
 * @returns `undefined` if something else responded, such as a login page, a proxy or a firewall. The handler responds with
 * 405 only after a redirect that has made the request a GET.
 */
async function rejectionOf(response: BrowserResponse): Promise<Partial<BrowserRecordsError> | undefined> {
  const { status } = response;
  const answer = (await response.json().catch(() => null)) as Partial<BrowserRecordsError> | null;
  return status < 400 || status === 405 || answer?.reason === undefined ? undefined : answer;
}
