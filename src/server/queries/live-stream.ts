import { unrefTimer } from '../../core/clock.ts';
import { type EventStream, QueryLimitError, undecidedWarnings } from '../../engine/index.ts';
import type { ServerClock } from '../clock.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { EventList } from '../store/event-list.ts';
import type { EventRange } from '../store/event-store.ts';
import { arrivedWithin, eventsWithin, eventTimes } from './arrival.ts';
import { windowOf } from './query-request.ts';
import { preparedContext, querySlices } from './query-slices.ts';
import { RowWriter } from './row-writer.ts';
import type { StreamOptions } from './static-stream.ts';

export interface LiveStreamOptions extends StreamOptions {
  readonly clock: ServerClock;
  readonly keepAliveIntervalMs: number;
  /** Maximum bytes of events that wait for a slow reader. */
  readonly maxPendingBytes: number;
}

/** Lookup files and subqueries are evaluated again at this age, when events arrive. */
const TABLES_AGE_MS = 10_000;

/** Maximum number of events per list. */
const EVENTS_PER_LIST = 4096;

/**
 * A live query as a stream: first the stored events, then each new event.
 *
 * It subscribes to the store when it is created, so no event is lost or repeated between the two parts. Waiting events
 * are bounded: a reader that is too slow loses its connection.
 */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #writer: RowWriter;
  readonly #history: readonly EventRange[];
  readonly #pending: EventList[] = [];
  readonly #unsubscribe: () => void;
  readonly #start: number;
  #stream: EventStream;
  #preparedAt: number;
  #pendingBytes = 0;
  #overflown = false;
  #isIncomplete = false;
  #wake: (() => void) | undefined;

  constructor(options: LiveStreamOptions) {
    const { request, format, context, window, signal } = options;
    const { store } = options.repository;
    this.#options = options;
    this.#writer = new RowWriter(format, context.limits?.maxBytes);
    this.#start = eventTimes(window).start;
    this.#preparedAt = context.now;
    this.#stream = request.plan.openStream(context, (row) => this.#writer.write(row));
    this.#history = eventsWithin(store, window);
    this.#unsubscribe = store.onAppend((batch) => this.#receive(batch));
    options.share.onCancel = () => this.#wake?.();
    const stop = (): void => {
      // `pieces` never starts if the client disconnects early.
      this.#unsubscribe();
      this.#wake?.();
    };
    signal.addEventListener('abort', stop, { once: true });
  }

  /** The rows as text, until the signal aborts. @throws if the reader is too slow or the query too expensive. */
  async *pieces(): AsyncGenerator<string> {
    const { signal, format, share } = this.#options;
    try {
      yield* this.#push(this.#history);
      // Signals that nothing has failed so far.
      yield '';
      while (!signal.aborted) {
        if (this.#overflown) throw new QueryLimitError('its client reads more slowly than events arrive.');
        share.check();
        const events = this.#pending.shift();
        if (events !== undefined) {
          this.#pendingBytes -= weightOfAll(events);
          await this.#refresh();
          yield* this.#push([{ events, start: 0, end: events.length }]);
        } else if (await this.#silence()) {
          if (format.keepAlive !== undefined) yield format.keepAlive;
        }
      }
      this.#writer.end();
      yield this.#writer.take();
    } finally {
      this.#unsubscribe();
    }
  }

  async #refresh(): Promise<void> {
    const { request, clock, share } = this.#options;
    const now = clock.now();
    if (now - this.#preparedAt < TABLES_AGE_MS) return;
    this.#preparedAt = now;
    const plan = request.freshPlan();
    if (plan === request.plan && !plan.needsPreparation) return;
    // The tables before are released with the stream.
    share.set(0);
    const window = windowOf(request, now);
    const context = await preparedContext(this.#options, window, now, plan);
    if (context !== undefined) this.#stream = plan.openStream(context, (row) => this.#writer.write(row));
  }

  async *#push(ranges: readonly EventRange[]): AsyncGenerator<string> {
    const { share, signal, window } = this.#options;
    const reader = arrivedWithin(this.#stream, window.arrival);
    share.spentMs = 0;
    for (const _ of querySlices(ranges, reader, share)) {
      const text = this.#writer.take();
      if (text !== '') yield text;
      await share.turn();
      if (signal.aborted) return;
    }
    if (!this.#isIncomplete && this.#stream.undecided.size > 0) {
      this.#isIncomplete = true;
      this.#options.onIncomplete(undecidedWarnings(this.#stream.undecided));
    }
    const text = this.#writer.take();
    if (text !== '') yield text;
  }

  #receive(batch: EventBatch): void {
    if (this.#overflown) return;
    const lists = this.#wantedOf(batch);
    if (lists.length === 0) return;
    for (const wanted of lists) {
      this.#pending.push(wanted);
      this.#pendingBytes += weightOfAll(wanted);
    }
    if (this.#pendingBytes > this.#options.maxPendingBytes) {
      this.#overflown = true;
      this.#pending.length = 0;
      this.#unsubscribe();
    }
    this.#wake?.();
  }

  /** The events that may match, in lists of moderate size, because fields of a list are read at once. */
  #wantedOf(batch: EventBatch): EventList[] {
    const lists: EventList[] = [];
    let last: EventList | undefined;
    for (let index = 0; index < batch.length; index++) {
      // Skips events before the interval of the query, even if they arrive late.
      if (batch.timestampAt(index) < this.#start) continue;
      if (last === undefined || last.length >= EVENTS_PER_LIST) {
        last = new EventList();
        lists.push(last);
      }
      last.push(batch, index);
    }
    return lists;
  }

  /** Waits for new events; true if none arrived and the reader needs a keep-alive. */
  async #silence(): Promise<boolean> {
    const { keepAliveIntervalMs, signal } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const isSilent = await new Promise<boolean>((resolve) => {
      this.#wake = () => resolve(false);
      if (Number.isFinite(keepAliveIntervalMs)) {
        timer = unrefTimer(setTimeout(() => resolve(true), keepAliveIntervalMs));
      }
      if (signal.aborted || this.#overflown) resolve(false);
    });
    clearTimeout(timer);
    this.#wake = undefined;
    return isSilent;
  }
}

function weightOfAll(events: EventList): number {
  let weight = 0;
  for (let place = 0; place < events.length; place++) weight += events.weightAt(place);
  return weight;
}
