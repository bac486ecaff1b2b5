import type { LogRecord } from '../records/log-record.ts';

export interface TailBufferOptions {
  /** Maximum number of records. The oldest are dropped, by their own time. */
  readonly maxRecords: number;
  /** Time to collect records before they are shown together, in milliseconds. */
  readonly intervalMs: number;
  readonly show: (records: readonly LogRecord[]) => void;
  readonly onWaiting: (count: number) => void;
}

/** The records of a live search: shown in small groups, and held back while the tail is paused. */
export class TailBuffer {
  readonly #options: TailBufferOptions;
  #shown: readonly LogRecord[] = [];
  #pending: LogRecord[] = [];
  #pendingCount = 0;
  #isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TailBufferOptions) {
    this.#options = options;
  }

  /** Replaces all records. */
  reset(records: readonly LogRecord[]): void {
    this.stop();
    this.#pending = [];
    this.#pendingCount = 0;
    this.#shown = records;
    this.#options.onWaiting(0);
    this.#options.show(records);
  }

  /** Adds older records before the others. */
  prepend(records: readonly LogRecord[]): void {
    this.#shown = [...records, ...this.#shown];
    this.#options.show(this.#shown);
  }

  add(records: readonly LogRecord[]): void {
    this.#pending.push(...records);
    this.#pendingCount += records.length;
    const { maxRecords, intervalMs } = this.#options;
    if (this.#pending.length > 2 * maxRecords) this.#pending = this.#pending.sort(byTime).slice(-maxRecords);
    this.#timer ??= setTimeout(() => this.#flush(), intervalMs);
  }

  /** Holds new records back, or shows waiting and new ones. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#flush();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #flush(): void {
    this.stop();
    const { maxRecords, show, onWaiting } = this.#options;
    onWaiting(this.#isHeld ? this.#pendingCount : 0);
    if (this.#isHeld || this.#pending.length === 0) return;
    this.#shown = merge(this.#shown, this.#pending).slice(-maxRecords);
    this.#pending = [];
    this.#pendingCount = 0;
    show(this.#shown);
  }
}

const byTime = (left: LogRecord, right: LogRecord): number => left.time - right.time;

/** Merges by time, because records of several services may arrive slightly late. */
function merge(shown: readonly LogRecord[], added: readonly LogRecord[]): readonly LogRecord[] {
  const sorted = added.toSorted(byTime);
  const first = sorted[0]!.time;
  let place = shown.length;
  while (place > 0 && shown[place - 1]!.time > first) place -= 1;
  if (place === shown.length) return [...shown, ...sorted];
  const tail = [...shown.slice(place), ...sorted].sort(byTime);
  return [...shown.slice(0, place), ...tail];
}
