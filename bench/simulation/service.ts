import { type Answer, exceptionFor, retryAfterOf, timeoutAfter } from './answer.ts';
import type { SimulatedClock } from './clock.ts';
import type { Entry, Ledger } from './ledger.ts';
import type { ServicePlan } from './plan.ts';

interface Exchange {
  readonly entries: readonly Entry[];
  readonly answer: Answer;
  /** Infinity if the service never responds. */
  readonly durationMs: number;
}

/** The process that sends a request. */
export interface Client {
  readonly number: number;
  readonly isAlive: boolean;
  /** Records that it knows to be stored. */
  acknowledged: number;
  /** The service has asked for no request before this time. */
  quietUntil: number;
  /** Failed requests since the last accepted one, and all. */
  failuresInARow: number;
  failures: number;
  /** Those in a row without records that have failed alone before others were accepted. */
  failuresOfOutage: number;
}

export interface CallOptions {
  readonly client: Client;
  readonly timeoutMs: number;
}

/** One line of the history of a run. */
export type Log = (event: () => string) => void;

interface ServiceOptions {
  readonly random: () => number;
  readonly log: Log;
  /** Called with each record that is stored. */
  readonly onStored: (entry: Entry, client: Client) => void;
  readonly onReceived: (entries: readonly Entry[], bytes: number, client: Client) => void;
  /** Called with each failed request, also if the client has stopped waiting. */
  readonly onFailed: (entries: readonly Entry[], answer: Answer, client: Client) => void;
}

/** The service, and the network before it. */
export class SimulatedService {
  readonly #clock: SimulatedClock;
  readonly #ledger: Ledger;
  readonly #plan: ServicePlan;
  readonly #options: ServiceOptions;
  /** When requests arrived, and their sizes. */
  readonly requests: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor(clock: SimulatedClock, ledger: Ledger, plan: ServicePlan, options: ServiceOptions) {
    this.#clock = clock;
    this.#ledger = ledger;
    this.#plan = plan;
    this.#options = options;
  }

  /** Responds like the real caller. Records are stored even if the client has stopped waiting. */
  call(body: Uint8Array, signal: AbortSignal | undefined, { client, timeoutMs }: CallOptions): Promise<void> {
    const exchange = this.#receive(body, client);
    return new Promise((resolve, reject) => {
      let isWaiting = true;
      const end = (error?: unknown): void => {
        if (!isWaiting) return;
        isWaiting = false;
        signal?.removeEventListener('abort', abort);
        if (error !== undefined) this.#failed(exchange, client);
        if (!client.isAlive) return;
        if (error === undefined) resolve();
        else reject(error);
      };
      const abort = (): void => end(signal?.reason);
      signal?.addEventListener('abort', abort);
      const { durationMs } = exchange;
      if (durationMs > timeoutMs) this.#clock.startTimer(timeoutMs, () => end(timeoutAfter(timeoutMs)));
      if (durationMs === Number.POSITIVE_INFINITY) return;
      this.#clock.startTimer(durationMs, () =>
        end(this.#respond(exchange, client, isWaiting && client.isAlive)),
      );
    });
  }

  /** The same for a thread that is blocked. @throws LogException */
  callSync(body: Uint8Array, { client, timeoutMs }: CallOptions): void {
    const exchange = this.#receive(body, client);
    const isInTime = exchange.durationMs <= timeoutMs;
    this.#clock.block(Math.min(exchange.durationMs, timeoutMs));
    const error =
      this.#respond(exchange, client, isInTime) ?? (isInTime ? undefined : timeoutAfter(timeoutMs));
    if (error === undefined) return;
    this.#failed(exchange, client);
    throw error;
  }

  #receive(body: Uint8Array, client: Client): Exchange {
    const { latencyMs, msPerRecord, msPerKilobyte } = this.#plan;
    const entries = this.#ledger.read(body);
    const bytes = body.byteLength;
    this.requests.push({ atMs: this.#clock.now(), bytes });
    this.#options.onReceived(entries, bytes, client);
    const answer = this.#answer(entries, bytes);
    for (const entry of entries) entry.sentAfter = client.failuresInARow;
    const workMs = msPerRecord * entries.length + (msPerKilobyte * bytes) / 1024;
    const isQuick = answer === 'refused' || /^\d/.test(answer);
    const durationMs =
      answer === 'hang' ? Number.POSITIVE_INFINITY : latencyMs + (isQuick ? 0 : Math.ceil(workMs));
    this.#options.log(
      () => `request of ${listOf(entries)} (${bytes} bytes): ${answer} after ${durationMs} ms`,
    );
    return { entries, answer, durationMs };
  }

  #answer(entries: readonly Entry[], bytes: number): Answer {
    const now = this.#clock.now();
    for (const { fromMs, untilMs, share, answer } of this.#plan.troubles) {
      if (now >= fromMs && now < untilMs && (share === 1 || this.#options.random() < share)) return answer;
    }
    if (bytes > this.#plan.maxBytes) return '413';
    return entries.find(({ answer }) => answer !== 'ok')?.answer ?? 'ok';
  }

  /** @param isHeard whether the client still waits. @returns the exception for it */
  #respond({ entries, answer }: Exchange, client: Client, isHeard: boolean): unknown {
    const isAcknowledged = answer === 'ok' && isHeard;
    for (const entry of answer === 'ok' || answer === 'lost' ? entries : []) {
      entry.stored++;
      if (!isAcknowledged) entry.unacknowledged++;
      this.#options.onStored(entry, client);
      if (isAcknowledged) this.#ledger.acknowledge(entry);
    }
    if (isAcknowledged) {
      client.acknowledged += entries.length;
      client.failuresInARow = client.failuresOfOutage = 0;
    }
    return answer === 'ok' || answer === 'hang' ? undefined : exceptionFor(answer);
  }

  #failed({ entries, answer }: Exchange, client: Client): void {
    client.failuresInARow++;
    client.failures++;
    client.quietUntil = this.#clock.now() + retryAfterOf(answer);
    const [first] = entries;
    const isOldSuspect = entries.length === 1 && client.acknowledged > (first?.failedAfter ?? Infinity);
    if (!isOldSuspect) client.failuresOfOutage++;
    for (const entry of entries) {
      entry.failed++;
      if (entries.length > 1) continue;
      entry.failedAlone++;
      entry.failedAfter ??= client.acknowledged;
    }
    this.#options.onFailed(entries, answer, client);
  }
}

/** `3-7, 9`. */
export function listOf(entries: readonly Entry[]): string {
  const ranges: [number, number][] = [];
  for (const { number } of entries) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
