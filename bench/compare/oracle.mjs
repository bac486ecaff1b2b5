// A service that fails on cue and remembers every record it accepted.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { bodyText, protocols } from './protocols.mjs';
import { isIntact, NUMBERS_PER_PROGRAM, RECORD_MARK } from './record.mjs';

/** How long a busy program may take to read a response. */
const UNREAD_ANSWER_MS = 2_000;

/**
 * How the service responds to a request.
 *
 * @typedef {object} Answer
 * @property {number} [status] any status but 2xx rejects the records.
 * @property {number} [retryAfter] seconds, for the header.
 * @property {number} [delayMs] delay before the response.
 * @property {boolean} [hang] never responds.
 * @property {boolean} [reset] resets the connection without accepting the records.
 * @property {boolean} [acceptAndReset] accepts the records and resets the connection before the response.
 */

/**
 * @typedef {object} IngestRequest
 * @property {number} index index among the requests that carry records, from 0.
 * @property {number[]} numbers numbers of its records.
 * @property {number} bytes size of the decompressed body.
 * @property {number} at epoch milliseconds.
 * @property {number} sinceStartMs milliseconds since the first record was logged.
 * @property {number} status status of the response; 0 if there was none.
 */

export class Oracle {
  /** @type {Omit<IngestRequest, 'numbers'>[]} */
  requests = [];
  delivered = 0;
  duplicates = 0;
  inversions = 0;
  /** Records whose content differs from what was logged. */
  damaged = 0;
  /** Records in accepted requests whose sender may not have received the response. */
  unacknowledged = 0;
  #counts = new Map();
  /** Last number of each program. */
  #lastNumbers = new Map();
  #arrivals = [];
  #startedAt = Number.POSITIVE_INFINITY;
  #answer;
  #protocol;
  #protocolName;
  #recordBytes;
  #server;
  #port = 0;
  #watchers = new Set();

  /**
   * @param {object} options
   * @param {string} options.protocol
   * @param {(request: IngestRequest) => Answer | undefined} [options.answer] `undefined` accepts the records.
   * @param {number} [options.recordBytes] size of the records; if set, their content is checked.
   */
  constructor({ protocol, answer = () => undefined, recordBytes }) {
    this.#protocolName = protocol;
    this.#protocol = protocols[protocol];
    this.#answer = answer;
    this.#recordBytes = recordBytes;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the same port as before. */
  async open() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.keepAliveTimeout = 60_000;
    const wasOpen = this.#port !== 0;
    // Below the ports that systems pick for port 0, so that nothing else listens there between close() and open().
    if (!wasOpen) this.#port = 15_000 + Math.floor(Math.random() * 15_000);
    try {
      await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
    } catch (error) {
      if (wasOpen || error.code !== 'EADDRINUSE') throw error;
      this.#port = 0;
      await this.open();
    }
  }

  /** Closes all connections and refuses new ones. Records accepted shortly before may be unacknowledged. */
  async close() {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    this.unacknowledged += this.delivered - this.deliveredBy(Date.now() - UNREAD_ANSWER_MS);
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Sets the start of `sinceStartMs`. */
  start(at = Date.now()) {
    this.#startedAt = at;
  }

  has(number) {
    return this.#counts.has(number);
  }

  /** Number of records accepted until a time in epoch milliseconds. */
  deliveredBy(at) {
    return this.#arrivals.reduce((sum, arrival) => (arrival.at <= at ? sum + arrival.records : sum), 0);
  }

  /** Resolves once the service has accepted this many records: true, or false after the timeout. */
  hasDelivered(records, timeoutMs) {
    return this.becomes(() => this.delivered >= records, timeoutMs);
  }

  /** Resolves once a condition holds, which is checked at every request: true, or false after the timeout. */
  becomes(condition, timeoutMs) {
    if (condition()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isThere) => {
        clearTimeout(timer);
        this.#watchers.delete(watch);
        resolve(isThere);
      };
      const watch = () => condition() && end(true);
      const timer = setTimeout(end, timeoutMs, false);
      this.#watchers.add(watch);
    });
  }

  async #serve(request, response) {
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The client closed the connection.
    }
    const path = request.url.split('?', 1)[0];
    if (!this.#protocol.isIngest(request.method, path)) {
      const { status, body, headers } = this.#protocol.other?.(request.method, path) ?? {
        status: 404,
        body: '',
      };
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
      return;
    }
    const text = bodyText(Buffer.concat(chunks), request.headers);
    const numbers = Array.from(text.matchAll(RECORD_MARK), (match) => Number(match[1]));
    const at = Date.now();
    const seen = {
      index: this.requests.length,
      bytes: text.length,
      at,
      sinceStartMs: at - this.#startedAt,
      records: numbers.length,
      status: 0,
    };
    this.requests.push(seen);
    await this.#react(this.#answer({ ...seen, numbers }) ?? {}, { request, response, seen, numbers, text });
  }

  async #react(answer, { request, response, seen, numbers, text }) {
    const { status = this.#protocol.status, retryAfter, delayMs, hang, reset, acceptAndReset } = answer;
    if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (hang) return;
    if (acceptAndReset) this.unacknowledged += numbers.length;
    if (acceptAndReset || (!reset && status < 300)) this.#accept(numbers, text);
    if (reset || acceptAndReset) {
      request.socket.resetAndDestroy();
      return;
    }
    seen.status = status;
    const { body, headers } =
      status < 300
        ? this.#protocol.accepted(numbers.length)
        : { body: `{"message":"${status} on cue"}`, headers: {} };
    response.writeHead(status, {
      ...headers,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    });
    response.end(body);
  }

  #accept(numbers, text) {
    let records = 0;
    for (const number of numbers) {
      const before = this.#counts.get(number) ?? 0;
      this.#counts.set(number, before + 1);
      if (before > 0) {
        this.duplicates++;
        continue;
      }
      records++;
      const program = Math.floor(number / NUMBERS_PER_PROGRAM);
      if (number < (this.#lastNumbers.get(program) ?? 0)) this.inversions++;
      this.#lastNumbers.set(program, number);
    }
    this.delivered += records;
    this.#arrivals.push({ at: Date.now(), records });
    if (this.#protocolName === 'logscale' && this.#recordBytes !== undefined) this.#checkContent(text);
    for (const watch of this.#watchers) watch();
  }

  #checkContent(text) {
    const events = JSON.parse(text).flatMap((group) => group.events);
    // Checks a sample of large batches, because all events pass through the same code.
    const step = Math.max(1, Math.floor(events.length / 100));
    for (let index = 0; index < events.length; index += step) {
      const { attributes } = events[index];
      const number = Number(/^rec-(\d+)\.$/.exec(attributes.msg ?? attributes.message)?.[1]);
      if (!isIntact(attributes, number, this.#recordBytes)) this.damaged++;
    }
  }
}
