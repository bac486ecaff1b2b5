import type { Clock, Timer } from '../../src/core/clock.ts';

interface Event {
  readonly at: number;
  /** Orders events of the same time. */
  readonly number: number;
  callback: (() => void) | undefined;
}

/** Other work of the thread, such as a test runner's timers, runs after this many events. */
const EVENTS_PER_TURN = 500;

/** A discrete-event clock: time jumps to the next timer once all promises of the last one have settled. */
export class SimulatedClock implements Clock {
  #now = 0;
  #started = 0;
  #ran = 0;
  /** Time that threads were blocked, in total. */
  blockedMs = 0;
  /** A binary heap, the next event first. */
  readonly #events: Event[] = [];

  now(): number {
    return this.#now;
  }

  startTimer(delayMs: number, callback: () => void): Timer {
    const event: Event = {
      at: this.#now + Math.max(0, Math.ceil(delayMs)),
      number: this.#started++,
      callback,
    };
    this.#push(event);
    return {
      cancel: () => {
        event.callback = undefined;
      },
    };
  }

  /** Lets time pass while the thread is blocked: timers run later. */
  block(durationMs: number): void {
    this.#now += Math.ceil(durationMs);
    this.blockedMs += Math.ceil(durationMs);
  }

  /** @param afterEach called when an event and its promises have settled; stops the clock if it returns true. */
  async runUntil(endMs: number, afterEach: () => boolean = () => false): Promise<void> {
    await settled();
    for (let event = this.#events[0]; event !== undefined && event.at <= endMs; event = this.#events[0]) {
      this.#pop();
      if (event.callback === undefined) continue;
      this.#now = Math.max(this.#now, event.at);
      event.callback();
      await settled();
      if (++this.#ran % EVENTS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (afterEach()) return;
    }
    this.#now = Math.max(this.#now, Math.ceil(endMs));
  }

  #push(event: Event): void {
    const events = this.#events;
    let index = events.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(events[parent]!, event)) break;
      events[index] = events[parent]!;
      index = parent;
    }
    events[index] = event;
  }

  #pop(): void {
    const events = this.#events;
    const last = events.pop()!;
    if (events.length === 0) return;
    let index = 0;
    for (let child = 1; child < events.length; child = 2 * index + 1) {
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child++;
      if (isBefore(last, events[child]!)) break;
      events[index] = events[child]!;
      index = child;
    }
    events[index] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.number < b.number);
}

/** Runs every promise callback that is ready: Node calls ticks when no promise callbacks are left. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
