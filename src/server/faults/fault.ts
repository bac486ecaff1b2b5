/** A condition on events: see {@link Fault.refuseEvents}. */
export type EventMatch =
  | string
  | RegExp
  | Readonly<Record<string, string | number | boolean | RegExp>>
  | ((event: Readonly<Record<string, string>>) => boolean);

/**
 * A failure to simulate, and the requests that it affects. At least one effect is required.
 *
 * Durations are real time, regardless of `server.clock`.
 */
export interface Fault {
  /** Affects only requests with this method. @default any, but not the deletion of a query job unless `path` is set */
  method?: string;
  /**
   * Affects only requests whose path (excluding the query string) contains this string or matches this RegExp.
   *
   * @default any
   */
  path?: string | RegExp;
  /** Maximum number of requests to affect. @default Infinity */
  times?: number;
  /**
   * Number of matching requests to skip before the fault applies.
   *
   * @default 0
   * @example server.faults.add({ path: 'ingest', after: 2, status: 503 }); // from the third on
   */
  after?: number;
  /**
   * Affects only every nth matching request, not counting the requests skipped by `after`.
   *
   * @default 1
   * @example server.faults.add({ path: 'ingest', every: 3, status: 503 }); // the third, the sixth, …
   */
  every?: number;
  /**
   * Probability that a matching request is affected: greater than 0 and at most 1. The selection is reproducible; see
   * `seed`.
   *
   * @default 1
   * @example server.faults.add({ probability: 0.2, reset: 'afterStore' });
   */
  probability?: number;
  /**
   * Seed for `probability`, a whole number. The same seed always selects the same requests.
   *
   * @default 1
   * @example for (const seed of [1, 2, 3]) server.faults.add({ probability: 0.2, seed, status: 503, times: 5 });
   */
  seed?: number;
  /**
   * Responds with this status without processing the request.
   *
   * @example server.faults.add({ status: 503, retryAfter: 1, times: 2 });
   */
  status?: number;
  /** Body of the simulated response. @default a sentence that describes the failure */
  body?: string;
  /** `Retry-After` header of the simulated response, in seconds or as a date string. */
  retryAfter?: number | string;
  /** Additional headers of the simulated response. @default {} */
  headers?: Record<string, string>;
  /**
   * Maximum size of a decompressed request body, in bytes. Larger requests are rejected with `status`, or with 413 if
   * `status` is not set.
   *
   * @example server.faults.add({ path: 'ingest', maxBodyBytes: 100_000 });
   */
  maxBodyBytes?: number;
  /**
   * Rejects ingest requests that contain a matching event, and stores none of their events. The status is 400 unless
   * `status` is set.
   *
   * A string or RegExp is searched for in `@rawstring`, which contains the attributes as JSON if the client sent no
   * text. An object maps field names to values, all of which must match. A function receives the event as it would be
   * stored: flat, with all values as strings.
   *
   * @example
   * server.faults.add({ refuseEvents: 'poison' });
   * server.faults.add({ refuseEvents: { level: 'error', 'user.id': 7, '#service': /^billing/ } });
   * server.faults.add({ refuseEvents: (event) => Number(event.ms) > 1000 });
   */
  refuseEvents?: EventMatch;
  /**
   * Delay before the server handles the request or applies any other effect, in milliseconds.
   *
   * @example server.faults.add({ delayMs: 500 });
   */
  delayMs?: number;
  /**
   * Never responds to the request.
   *
   * @example server.faults.add({ path: 'ingest', hang: true, times: 1 });
   */
  hang?: boolean;
  /**
   * Point at which the connection is dropped.
   *
   * - `before`: before the request body is read.
   * - `inBody`: while the request body is being read; see `resetAfterBytes`.
   * - `afterBody`: after the request body is read, but before it is processed.
   * - `afterStore`: after the request is processed, so that only the response is lost.
   *
   * @example server.faults.add({ path: 'ingest', reset: 'afterStore', times: 1 }); // a retry stores the events twice
   */
  reset?: 'before' | 'inBody' | 'afterBody' | 'afterStore';
  /**
   * Number of body bytes to read before the connection is dropped. Applies to `reset: 'inBody'`.
   *
   * @default half of the `Content-Length`, or the first chunk if the header is missing
   * @example server.faults.add({ reset: 'inBody', resetAfterBytes: 1000 });
   */
  resetAfterBytes?: number;
  /**
   * Limits the speed at which the request body is read. With a large body, the client waits while sending; with a small
   * body, it waits for the response.
   *
   * @example server.faults.add({ path: 'ingest', uploadBytesPerSecond: 10_000 });
   */
  uploadBytesPerSecond?: number;
  /**
   * Limits the speed at which the response body is sent.
   *
   * @example server.faults.add({ path: /query$/, dripBytesPerSecond: 200 });
   */
  dripBytesPerSecond?: number;
  /**
   * Drops the connection after this many bytes of the response body have been sent.
   *
   * @example server.faults.add({ path: /query$/, cutAfterBytes: 5000, times: 1 });
   */
  cutAfterBytes?: number;
  /**
   * Makes polls of a query job report that the job is still running.
   *
   * @example server.faults.add({ path: '/queryjobs/', notDone: true, times: 3 });
   */
  notDone?: boolean;
}

/** An active fault. */
export interface FaultHandle {
  /** Number of requests that the fault has affected. */
  readonly hits: number;
  /** Number of requests that the fault will still affect. */
  readonly remaining: number;
  /** Removes the fault. */
  remove(): void;
}

/** Options of `closePort`. */
export interface ClosePortOptions {
  /** Time after which the port reopens, in milliseconds of real time. @default the port stays closed */
  forMs?: number;
}

/** Scripted failures, to test how clients handle them. */
export interface Faults {
  /**
   * Adds a fault. A request is affected by at most one: the first one added that matches and is not used up. Faults with
   * `maxBodyBytes` or `refuseEvents` are checked last.
   *
   * @throws LogOptionsException if the fault is invalid
   */
  add(fault: Fault): FaultHandle;
  /**
   * Removes all faults. Requests that hang stay open until the client disconnects or the server closes. A closed port
   * stays closed.
   */
  clear(): void;
  /**
   * Stops listening and drops all connections, as if the server were down: new connections fail with `ECONNREFUSED`, and
   * so does `server.fetch`. Requests in flight may have been processed, but get no response. Stored events and faults
   * are kept.
   *
   * @example
   * await server.faults.closePort({ forMs: 1_000 });
   *
   * @returns a promise that resolves when the port is closed
   * @throws LogOptionsException if `forMs` is invalid
   */
  closePort(options?: ClosePortOptions): Promise<void>;
  /**
   * Listens on the same port again, even before `forMs` of `closePort` has passed. Does nothing if the port is open.
   *
   * @example
   * await server.faults.closePort();
   * // … check what your program does while the service is down …
   * await server.faults.openPort();
   *
   * @returns a promise that resolves when the port accepts connections
   * @throws LogOptionsException if another program uses the port now, or the server is closed. `forMs` retries instead.
   */
  openPort(): Promise<void>;
}
