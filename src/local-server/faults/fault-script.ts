import type { EventBatch } from '../store/event-batch.ts';
import { checkedFault } from './check-fault.ts';
import { type EventTest, eventTest } from './event-test.ts';
import type { Fault, FaultHandle, Faults } from './fault.ts';
import { Occurrence } from './occurrence.ts';

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
}

export class FaultScript implements Pick<Faults, 'add' | 'clear'> {
  readonly #scripted: ScriptedFault[] = [];

  add(fault: Fault): FaultHandle {
    const scripted = new ScriptedFault(checkedFault(fault), () => this.#remove(scripted));
    this.#scripted.push(scripted);
    return scripted;
  }

  clear(): void {
    this.#scripted.length = 0;
  }

  /** The fault for a request of which nothing but the head is known, used up by one. */
  take(request: RequestFacts): Fault | undefined {
    return this.#take(request, ({ looksInside }) => !looksInside);
  }

  /** The fault for a request with a body of this size. */
  takeForSize(request: RequestFacts, bytes: number): Fault | undefined {
    return this.#take(request, ({ fault }) => bytes > (fault.maxBodyBytes ?? Number.POSITIVE_INFINITY));
  }

  /** The fault for a request that holds these events, and the index of the event that brought it about. */
  takeForEvents(request: RequestFacts, events: EventBatch): { fault: Fault; index: number } | undefined {
    let index = -1;
    const fault = this.#take(request, ({ isRefused }) => {
      index = isRefused === undefined ? -1 : findEvent(events, isRefused);
      return index !== -1;
    });
    return fault === undefined ? undefined : { fault, index };
  }

  #take(request: RequestFacts, fits: (scripted: ScriptedFault) => boolean): Fault | undefined {
    return this.#scripted.find((scripted) => scripted.isFor(request) && fits(scripted) && scripted.meets())
      ?.fault;
  }

  #remove(scripted: ScriptedFault): void {
    const index = this.#scripted.indexOf(scripted);
    if (index !== -1) this.#scripted.splice(index, 1);
  }
}

function findEvent(events: EventBatch, test: EventTest): number {
  for (let index = 0; index < events.length; index++) if (test(events.rowAt(index))) return index;
  return -1;
}

class ScriptedFault implements FaultHandle {
  readonly fault: Fault;
  readonly isRefused: EventTest | undefined;
  readonly #occurrence: Occurrence;
  readonly #remove: () => void;
  #hits = 0;

  constructor(fault: Fault, remove: () => void) {
    this.fault = fault;
    this.isRefused = fault.refuseEvents === undefined ? undefined : eventTest(fault.refuseEvents);
    this.#occurrence = new Occurrence(fault);
    this.#remove = remove;
  }

  /** Whether it takes more than the head of a request to tell. */
  get looksInside(): boolean {
    return this.fault.maxBodyBytes !== undefined || this.isRefused !== undefined;
  }

  get hits(): number {
    return this.#hits;
  }

  get remaining(): number {
    return (this.fault.times ?? Number.POSITIVE_INFINITY) - this.#hits;
  }

  remove(): void {
    this.#remove();
  }

  isFor({ method: requestMethod, path: requestPath }: RequestFacts): boolean {
    const { method, path } = this.fault;
    if (this.remaining <= 0) return false;
    if (method !== undefined && method.toUpperCase() !== requestMethod) return false;
    if (path === undefined) return true;
    // `search` pays no attention to the position that an expression with the flag `g` keeps.
    return typeof path === 'string' ? requestPath.includes(path) : requestPath.search(path) !== -1;
  }

  /** Counts a request that it is for; whether that one is met. */
  meets(): boolean {
    if (!this.#occurrence.next()) return false;
    this.#hits++;
    return true;
  }
}
