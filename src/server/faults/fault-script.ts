import { seededRandom } from '../../core/seeded-random.ts';
import { UNSCRIPTED_HEADER } from '../../core/wire/unscripted.ts';
import { readField } from '../../engine/index.ts';
import type { EventBatch } from '../store/event-batch.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { checkedFault } from './check-fault.ts';
import type { EventMatch, Fault, FaultHandle, Faults } from './fault.ts';

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

export class FaultScript implements Pick<Faults, 'add' | 'clear'> {
  readonly #scripted = new Set<ScriptedFault>();

  add(fault: Fault): FaultHandle {
    const scripted = new ScriptedFault(checkedFault(fault), () => void this.#scripted.delete(scripted));
    this.#scripted.add(scripted);
    return scripted;
  }

  clear(): void {
    this.#scripted.clear();
  }

  /** Uses up one hit of the fault for a request, as far as its headers decide. */
  take(request: RequestFacts): Fault | undefined {
    return this.#take(request, ({ looksInside }) => !looksInside);
  }

  /** The fault for a request with a body of this size. */
  takeForSize(request: RequestFacts, bytes: number): Fault | undefined {
    return this.#take(request, ({ fault }) => bytes > (fault.maxBodyBytes ?? Number.POSITIVE_INFINITY));
  }

  /** The fault for a request with these events, and the index of the event that triggered it. */
  takeForEvents(request: RequestFacts, events: EventBatch): { fault: Fault; index: number } | undefined {
    let index = -1;
    const fault = this.#take(request, ({ isRefused }) => {
      index = isRefused === undefined ? -1 : findEvent(events, isRefused);
      return index !== -1;
    });
    return fault === undefined ? undefined : { fault, index };
  }

  #take(request: RequestFacts, fits: (scripted: ScriptedFault) => boolean): Fault | undefined {
    for (const scripted of this.#scripted) {
      if (scripted.isFor(request) && fits(scripted) && scripted.meets()) return scripted.fault;
    }
    return undefined;
  }
}

function findEvent(events: EventBatch, test: EventTest): number {
  for (let index = 0; index < events.length; index++) if (test(events.rowAt(index))) return index;
  return -1;
}

class ScriptedFault implements FaultHandle {
  readonly fault: Fault;
  readonly isRefused: EventTest | undefined;
  readonly remove: () => void;
  hits = 0;
  readonly #isNext: () => boolean;

  constructor(fault: Fault, remove: () => void) {
    this.fault = fault;
    this.isRefused = fault.refuseEvents === undefined ? undefined : eventTest(fault.refuseEvents);
    this.#isNext = occurrence(fault);
    this.remove = remove;
  }

  /** Whether it depends on the body. */
  get looksInside(): boolean {
    return this.fault.maxBodyBytes !== undefined || this.isRefused !== undefined;
  }

  get remaining(): number {
    return (this.fault.times ?? Number.POSITIVE_INFINITY) - this.hits;
  }

  isFor({ method: requestMethod, path: requestPath, headers }: RequestFacts): boolean {
    const { method, path } = this.fault;
    // Clients delete their query jobs in the background.
    const isCleanup = requestMethod === 'DELETE' && requestPath.includes('/queryjobs/');
    if (isCleanup && method === undefined && path === undefined) return false;
    if (this.remaining <= 0 || headers.has(UNSCRIPTED_HEADER)) return false;
    if (method !== undefined && method.toUpperCase() !== requestMethod) return false;
    return path === undefined || holds(requestPath, path);
  }

  /** Counts a request that matches; returns whether the fault affects it. */
  meets(): boolean {
    if (!this.#isNext()) return false;
    this.hits++;
    return true;
  }
}

type EventTest = (event: StoredEvent) => boolean;

function eventTest(match: EventMatch): EventTest {
  if (typeof match === 'function') return (event) => match(event) === true;
  if (typeof match === 'string' || match instanceof RegExp)
    return (event) => holds(event['@rawstring'], match);
  const conditions = Object.entries(match);
  return (event) =>
    conditions.every(([name, value]) =>
      value instanceof RegExp
        ? holds(readField(event, name), value)
        : readField(event, name) === String(value),
    );
}

/** Whether a string contains another one, or matches an expression. */
export function holds(text: string | undefined, part: string | RegExp): boolean {
  if (text === undefined) return false;
  // `search` ignores `lastIndex` of expressions with the flag `g`.
  return typeof part === 'string' ? text.includes(part) : text.search(part) !== -1;
}

/** Counts requests and selects those that a fault affects. */
function occurrence({ after = 0, every = 1, probability = 1, seed = 1 }: Fault): () => boolean {
  const random = seededRandom(seed);
  let seen = 0;
  return () => {
    const counted = ++seen - after;
    return counted > 0 && counted % every === 0 && random() < probability;
  };
}
