/** Which events of a request: see {@link Fault.refuseEvents}. */
export type EventMatch =
  | string
  | RegExp
  | Readonly<Record<string, string | number | boolean | RegExp>>
  | ((event: Readonly<Record<string, string>>) => boolean);

/**
 * Something that goes wrong on purpose, and for which requests. At least one thing must go wrong.
 *
 * Times are real time, whatever `server.clock` says: connections know no other.
 */
export interface Fault {
  /** Only requests with this method. @default any */
  method?: string;
  /** Only requests whose path (without the query) contains this text or matches this expression. @default any */
  path?: string | RegExp;
  /** For how many requests; then the fault is used up. @default Infinity */
  times?: number;
  /**
   * Leaves the first so many alone, of the requests that it is for.
   *
   * @default 0
   * @example server.faults.add({ path: 'ingest', after: 2, status: 503 }); // from the third on
   */
  after?: number;
  /**
   * Only each so many, of the requests that it is for and that `after` leaves.
   *
   * @default 1
   * @example server.faults.add({ path: 'ingest', every: 3, status: 503 }); // the third, the sixth, …
   */
  every?: number;
  /**
   * Meets a request with this probability, above 0 and up to 1. It draws the same each time: see `seed`.
   *
   * @default 1
   * @example server.faults.add({ probability: 0.2, reset: 'afterStore' });
   */
  probability?: number;
  /**
   * With `probability`: a whole number that chooses which requests are met. The same seed meets the same.
   *
   * @default 1
   * @example for (const seed of [1, 2, 3]) server.faults.add({ probability: 0.2, seed, status: 503, times: 5 });
   */
  seed?: number;
  /**
   * Answers with this status instead of doing anything.
   *
   * @example server.faults.add({ status: 503, retryAfter: 1, times: 2 });
   */
  status?: number;
  /** The text of that answer. @default a text that says that it is scripted */
  body?: string;
  /** The `Retry-After` header of that answer: seconds, or a date as text. */
  retryAfter?: number | string;
  /** More headers of that answer. @default {} */
  headers?: Record<string, string>;
  /**
   * Refuses requests with a body of more bytes than this, decompressed, as the service measures it; others pass. The
   * answer is 413 unless `status` says otherwise.
   *
   * @example server.faults.add({ path: 'ingest', maxBodyBytes: 100_000 });
   */
  maxBodyBytes?: number;
  /**
   * Refuses ingest requests that hold such an event, as a whole: nothing of them is stored. Others pass. The answer is
   * 400 unless `status` says otherwise.
   *
   * A text is looked for in `@rawstring` (the attributes as JSON, when the client sent no text), and an expression is
   * tried on it. An object names fields and the values that all of them must have. A function is given the event as it
   * would be stored: flat, and all values as text.
   *
   * @example
   * server.faults.add({ refuseEvents: 'poison' });
   * server.faults.add({ refuseEvents: { level: 'error', 'user.id': 7, '#service': /^billing/ } });
   * server.faults.add({ refuseEvents: (event) => Number(event.ms) > 1000 });
   */
  refuseEvents?: EventMatch;
  /**
   * Waits this long, in milliseconds, before anything else happens.
   *
   * @example server.faults.add({ delayMs: 500 });
   */
  delayMs?: number;
  /**
   * Never answers.
   *
   * @example server.faults.add({ path: 'ingest', hang: true, times: 1 });
   */
  hang?: boolean;
  /**
   * Cuts the connection.
   *
   * - `before`: nothing is read of the request's body.
   * - `inBody`: in the middle of the request's body; see `resetAfterBytes`.
   * - `afterBody`: the request is read to its end, but nothing is done.
   * - `afterStore`: all is done, only the answer is lost, as when an acknowledgement gets lost.
   *
   * @example server.faults.add({ path: 'ingest', reset: 'afterStore', times: 1 }); // what is sent again arrives twice
   */
  reset?: 'before' | 'inBody' | 'afterBody' | 'afterStore';
  /**
   * With `reset: 'inBody'`: how many bytes of the body are read before the cut; all of a shorter one.
   *
   * @default half of its `Content-Length`, or what comes first when it has none
   * @example server.faults.add({ reset: 'inBody', resetAfterBytes: 1000 });
   */
  resetAfterBytes?: number;
  /**
   * Does all, but reads the request's body no faster than this. A long body keeps its client waiting while it sends, a
   * short one while it waits for the answer.
   *
   * @example server.faults.add({ path: 'ingest', uploadBytesPerSecond: 10_000 });
   */
  uploadBytesPerSecond?: number;
  /**
   * Does all, but sends the body of the answer no faster than this, drop by drop.
   *
   * @example server.faults.add({ path: /query$/, dripBytesPerSecond: 200 });
   */
  dripBytesPerSecond?: number;
  /**
   * Does all, but cuts the connection after this many bytes of the answer's body.
   *
   * @example server.faults.add({ path: /query$/, cutAfterBytes: 5000, times: 1 });
   */
  cutAfterBytes?: number;
  /**
   * Polls of a query job answer that the job is still running, whatever it does.
   *
   * @example server.faults.add({ path: '/queryjobs/', notDone: true, times: 3 });
   */
  notDone?: boolean;
}

/** A fault that was added. */
export interface FaultHandle {
  /** How many requests it has met. */
  readonly hits: number;
  /** How many more it will meet. */
  readonly remaining: number;
  /** Takes it away. */
  remove(): void;
}

/** For how long the port is closed. */
export interface ClosePortOptions {
  /** Opens it again by itself after this long, in milliseconds of real time. @default it stays closed */
  forMs?: number;
}

/** Scripted trouble, for tests of everything that must survive it. */
export interface Faults {
  /**
   * Adds a fault. A request meets at most one: the first one added that fits and is not used up. Faults with
   * `maxBodyBytes` or `refuseEvents` are asked last, of requests that no other has met.
   *
   * @throws LogOptionsException when the fault makes no sense.
   */
  add(fault: Fault): FaultHandle;
  /**
   * Takes all faults away. Requests that hang go on hanging until their client or the server gives up, and a closed
   * port stays closed.
   */
  clear(): void;
  /**
   * Stops listening and cuts all connections, as if the server were down: who connects is refused (`ECONNREFUSED`).
   * Requests that were under way may have been done, without an answer. `server.fetch` fails in the same way. What is
   * stored stays, and so do faults.
   *
   * @example
   * await server.faults.closePort({ forMs: 1_000 });
   *
   * @returns when nobody can connect any more.
   * @throws LogOptionsException for a time that makes no sense.
   */
  closePort(options?: ClosePortOptions): Promise<void>;
  /**
   * Listens again, on the same port, however long `closePort` was told to keep it closed. Does nothing on an open port.
   *
   * @example
   * await server.faults.closePort();
   * // … what happens while the service is down …
   * await server.faults.openPort();
   *
   * @returns when one can connect again.
   * @throws LogOptionsException when another program has taken the port meanwhile, or when the server is closed. Until
   * then `forMs` tries again and again.
   */
  openPort(): Promise<void>;
}
