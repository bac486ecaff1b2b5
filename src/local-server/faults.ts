import { LogOptionsException } from '../errors.ts';
import {
  refuseUnknownOptions,
  requireBoolean,
  requireInteger,
  requireOneOf,
} from '../internal/option-checks.ts';

const OWNER = 'faults.add';

/** Something that goes wrong on purpose, and for which requests. At least one thing must go wrong. */
export interface Fault {
  /** Only requests with this method. @default any */
  method?: string;
  /** Only requests whose path (without the query) contains this text or matches this expression. @default any */
  path?: string | RegExp;
  /** For how many requests; then the fault is used up. @default Infinity */
  times?: number;
  /** Answers with this status instead of doing anything. */
  status?: number;
  /** The text of that answer. @default a text that says that it is scripted */
  body?: string;
  /** The `Retry-After` header of that answer: seconds, or a date as text. */
  retryAfter?: number | string;
  /** More headers of that answer. @default {} */
  headers?: Record<string, string>;
  /** Waits this long, in milliseconds of real time, before anything else happens. */
  delayMs?: number;
  /** Never answers. */
  hang?: boolean;
  /**
   * Cuts the connection. `before`: nothing was done. `afterStore`: all was done, only the answer is lost, as when an
   * acknowledgement gets lost.
   */
  reset?: 'before' | 'afterStore';
  /** Does all, but cuts the connection after this many bytes of the answer's body. */
  cutAfterBytes?: number;
  /** Polls of a query job answer that the job is still running, whatever it does. */
  notDone?: boolean;
}

const KNOWN: Record<keyof Fault, true> = {
  method: true,
  path: true,
  times: true,
  status: true,
  body: true,
  retryAfter: true,
  headers: true,
  delayMs: true,
  hang: true,
  reset: true,
  cutAfterBytes: true,
  notDone: true,
};

/** A fault that was added. */
export interface FaultHandle {
  /** How many requests it has met. */
  readonly hits: number;
  /** How many more it will meet. */
  readonly remaining: number;
  /** Takes it away. */
  remove(): void;
}

/** Scripted trouble, for tests of everything that must survive it. */
export interface Faults {
  /**
   * Adds a fault. A request meets at most one: the first one added that fits and is not used up.
   *
   * @throws LogOptionsException when the fault makes no sense.
   */
  add(fault: Fault): FaultHandle;
  /** Takes all faults away. Requests that hang go on hanging until their client or the server gives up. */
  clear(): void;
}

/** The faults of a server, as the server itself sees them. */
export class FaultScript implements Faults {
  readonly #scripted: ScriptedFault[] = [];

  add(fault: Fault): FaultHandle {
    const scripted = new ScriptedFault(checked(fault), () => this.#remove(scripted));
    this.#scripted.push(scripted);
    return scripted;
  }

  clear(): void {
    this.#scripted.length = 0;
  }

  /** The fault for a request, used up by one. */
  take(method: string, path: string): Fault | undefined {
    return this.#scripted.find((scripted) => scripted.fits(method, path))?.use();
  }

  #remove(scripted: ScriptedFault): void {
    const index = this.#scripted.indexOf(scripted);
    if (index !== -1) this.#scripted.splice(index, 1);
  }
}

class ScriptedFault implements FaultHandle {
  readonly #fault: Fault;
  readonly #remove: () => void;
  #hits = 0;

  constructor(fault: Fault, remove: () => void) {
    this.#fault = fault;
    this.#remove = remove;
  }

  get hits(): number {
    return this.#hits;
  }

  get remaining(): number {
    return (this.#fault.times ?? Number.POSITIVE_INFINITY) - this.#hits;
  }

  remove(): void {
    this.#remove();
  }

  fits(requestMethod: string, requestPath: string): boolean {
    const { method, path } = this.#fault;
    if (this.remaining <= 0) return false;
    if (method !== undefined && method.toUpperCase() !== requestMethod) return false;
    if (path === undefined) return true;
    // `search` pays no attention to the position that an expression with the flag `g` keeps.
    return typeof path === 'string' ? requestPath.includes(path) : requestPath.search(path) !== -1;
  }

  use(): Fault {
    this.#hits++;
    return this.#fault;
  }
}

function checked(fault: Fault): Fault {
  refuseUnknownOptions(OWNER, fault, Object.keys(KNOWN));
  const { times, status, delayMs, hang, reset, cutAfterBytes, notDone } = fault;
  if (times !== undefined) requireInteger(OWNER, 'times', times, { min: 1, orInfinity: true });
  if (status !== undefined) requireInteger(OWNER, 'status', status, { min: 200, max: 599 });
  if (delayMs !== undefined) requireInteger(OWNER, 'delayMs', delayMs);
  if (hang !== undefined) requireBoolean(OWNER, 'hang', hang);
  if (reset !== undefined) requireOneOf(OWNER, 'reset', reset, ['before', 'afterStore']);
  if (cutAfterBytes !== undefined) requireInteger(OWNER, 'cutAfterBytes', cutAfterBytes);
  if (notDone !== undefined) requireBoolean(OWNER, 'notDone', notDone);
  const effects = [status, delayMs, hang, reset, cutAfterBytes, notDone];
  if (effects.every((effect) => effect === undefined || effect === false)) {
    throw new LogOptionsException(
      `${OWNER}: the fault does nothing. Give it "status", "delayMs", "hang", "reset", "cutAfterBytes" or "notDone".`,
    );
  }
  return Object.freeze({ ...fault });
}
