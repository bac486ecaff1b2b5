/**
 * Receives records from browsers in your server, so that no token reaches a browser:
 *
 * ```ts
 * const handler = createIngestHandler({ tags: { service: 'shop' } });
 * app.post('/logs', (c) => handler(c.req.raw)); // Hono
 * app.post('/logs', toNodeHandler(handler)); // Express, Fastify
 * ```
 */
import { LogOptionsException } from '../../../src/core/errors.ts';
import {
  describe,
  refuseUnknownOptions,
  requireFunction,
  requireInteger,
  requireOptions,
  resolveAll,
} from '../../../src/core/option-checks.ts';
import type { BrowserRecordsError } from '../../../src/core/wire/browser-records.ts';
import { Ingester } from '../../../src/ingest/ingester.ts';
import { type IngesterOptions, OPTION_NAMES, resolveIngesterOptions } from '../../../src/ingest/options.ts';
import type { IngestEvent } from '../../../src/ingest/record/ingest-event.ts';
import { safeText } from '../../../src/ingest/record/safe-json.ts';
import { browserEvents } from './browser-events.ts';
import { FieldFilter } from './field-filter.ts';
import type { IngestHandler, IngestHandlerStats, RequestHeaders } from './ingest-handler.ts';
import { OriginCheck } from './origin-check.ts';
import { clientKey, RateLimit } from './rate-limit.ts';
import { busy, Rejection, type RejectionReason } from './rejection.ts';
import { BodyReader } from './request-body.ts';

export type {
  BrowserLogLevel,
  BrowserRecord,
  BrowserRecordsRequest,
} from '../../../src/core/wire/browser-records.ts';
export type * from '../../../src/ingest/kit/public-types.ts';
export { type NodeRequest, type NodeResponse, toNodeHandler } from './node-handler.ts';
export type { IngestHandler, IngestHandlerStats, RejectionReason, RequestHeaders };

/** Options of {@link createIngestHandler}: those of the ingester, or an `ingester`, and limits for requests. */
export interface IngestHandlerOptions extends Omit<IngesterOptions, 'overflow'> {
  /**
   * Delivers the records, for example together with those of your server. Can't be combined with options of the
   * ingester. With `overflow: 'block'`, a full queue makes browsers send again later; otherwise it drops records.
   *
   * @default an ingester with the other options
   */
  ingester?: Ingester | undefined;
  /**
   * Origins of pages that may send records, such as `https://shop.example`, in addition to the origin of the handler.
   *
   * @default none: only pages of the same origin
   */
  allowedOrigins?: readonly string[] | undefined;
  /** Maximum size of a request body, in bytes. @default 65_536 (64 KiB) */
  maxBodyBytes?: number | undefined;
  /**
   * Maximum number of requests per minute from one client. All browsers behind a shared address are one client.
   *
   * @default 300
   */
  maxRequestsPerMinute?: number | undefined;
  /** Maximum number of requests per minute from all clients. @default 6_000 */
  maxTotalRequestsPerMinute?: number | undefined;
  /**
   * Returns the address of the client, for `maxRequestsPerMinute`. Behind a proxy, read the header that the proxy sets.
   * Without an address, only `maxTotalRequestsPerMinute` applies.
   *
   * @default the address of the connection, where the handler knows it
   */
  clientAddress?:
    | ((
        request: { readonly headers: RequestHeaders },
        remoteAddress: string | undefined,
      ) => string | null | undefined)
    | undefined;
  /**
   * Names of the fields that browsers may send. Other fields are removed and counted. `logclient/browser` itself sends
   * `url`, `visitId` and `error`.
   *
   * @default all fields
   */
  allowedFields?: readonly string[] | undefined;
}

const OWNER = 'createIngestHandler';
const runtime = globalThis as { readonly navigator?: { readonly userAgent?: string } };
/** What a Worker of Cloudflare starts in one request ends with it, so that records of another one may wait forever. */
const SHARED_IN_WORKER = `${OWNER}: on Cloudflare Workers, create the handler for each request, and pass handler.ingester.close() to waitUntil. Records can be lost otherwise.`;
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};
/** Key of the limit for all clients. */
const TOTAL = '';

/**
 * Creates a handler for the requests of `logclient/browser`. Each record gets the tag `source: 'browser'` and the field
 * `userAgent`. Requests are rejected with 400, 403, 408, 413, 415, 429 or 503 and a reason in JSON.
 *
 * @throws LogOptionsException
 *
 * @example
 *   const handler = createIngestHandler({ tags: { service: 'shop' } });
 *   app.post('/logs', toNodeHandler(handler)); // Express; in Next.js, use createIngestRoute of logclient/next
 */
export function createIngestHandler(options: IngestHandlerOptions = {}): IngestHandler {
  const endpoint = new Endpoint(options);
  const handle: IngestHandler['handle'] = (request, address) => endpoint.respond(request, address);
  const handler = Object.assign((request: Request) => handle(request, undefined), { handle });
  const properties = { stats: { get: () => endpoint.stats }, ingester: { value: endpoint.ingester } };
  return Object.defineProperties(handler, properties) as unknown as IngestHandler;
}

class Endpoint {
  readonly ingester: Ingester;
  readonly #settings: ReturnType<typeof resolveSettings>;
  readonly #rejected = { origin: 0, rateLimit: 0, tooLarge: 0, invalid: 0, busy: 0 };
  #requests = 0;
  #records = 0;
  #isFull = false;
  #hasReportedError = false;

  constructor(options: IngestHandlerOptions) {
    this.#settings = resolveSettings(options);
    this.ingester = this.#settings.ingester ?? new Ingester(this.#settings.own);
  }

  get stats(): IngestHandlerStats {
    return {
      requests: this.#requests,
      records: this.#records,
      removedFields: this.#settings.allowedFields.removed,
      rejected: { ...this.#rejected },
    };
  }

  async respond(request: Request, remoteAddress: string | undefined): Promise<Response> {
    this.#requests++;
    if (this.#requests === 2 && runtime.navigator?.userAgent === 'Cloudflare-Workers') {
      // biome-ignore lint/suspicious/noConsole: Workers don't show the warnings of a process.
      console.warn(SHARED_IN_WORKER);
    }
    const { allowedOrigins: origins } = this.#settings;
    const cors = origins.corsHeaders(request);
    try {
      const { method } = request;
      if (method !== 'POST' && method !== 'OPTIONS') {
        throw new Rejection(405, 'invalid', 'The method must be POST.');
      }
      origins.require(request);
      if (method === 'OPTIONS')
        return new Response(null, { status: 204, headers: { ...cors, ...PREFLIGHT } });
      const client = this.#requireRate(request, remoteAddress);
      if (this.#isFull) throw busy('The queue is full.');
      await this.#accept(request, client);
      return new Response(null, { status: 204, headers: cors });
    } catch (error) {
      const rejection = error instanceof Rejection ? error : this.#internalError(error);
      this.#rejected[rejection.reason]++;
      return errorResponse(rejection, cors);
    }
  }

  /** An error of the program, such as in `clientAddress`. Reported once, because every request may cause it. */
  #internalError(error: unknown): Rejection {
    if (!this.#hasReportedError) {
      process.emitWarning(`${OWNER}: a request failed with status 500. ${safeText(error)}`);
    }
    this.#hasReportedError = true;
    return new Rejection(500, 'invalid', 'Internal error.');
  }

  /** @returns the key of the client, if its address is known. */
  #requireRate(request: Request, remoteAddress: string | undefined): string | undefined {
    const nowMs = performance.now();
    const { clientAddress, maxRequestsPerMinute, maxTotalRequestsPerMinute } = this.#settings;
    const address = clientAddress(request, remoteAddress);
    if (address && typeof address !== 'string') {
      throw new TypeError(`"clientAddress" must return a string (got ${describe(address)}).`);
    }
    // A client that sends too much must not use up the limit of all clients.
    const client = address ? clientKey(address) : undefined;
    const clientWaitMs = client === undefined ? 0 : maxRequestsPerMinute.take(client, nowMs);
    const waitMs = clientWaitMs === 0 ? maxTotalRequestsPerMinute.take(TOTAL, nowMs) : clientWaitMs;
    if (waitMs === 0) return client;
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new Rejection(429, 'rateLimit', 'Too many requests.', { retryAfterSeconds });
  }

  async #accept(request: Request, client: string | undefined): Promise<void> {
    const { maxBodyBytes: bodies, allowedFields: fields } = this.#settings;
    const body = await bodies.readJson(request, client);
    const userAgent = request.headers.get('user-agent');
    const events = browserEvents(body, { nowMs: Date.now(), userAgent, fields });
    for (const [index, event] of events.entries()) {
      this.#add(event, index);
      this.#records++;
    }
  }

  /** @param index the number of events of the same request that were added before. */
  #add(event: IngestEvent, index: number): void {
    const { accepted } = this.ingester.stats;
    // With `dropOldest` and `dropNewest`, the ingester accepts the event, and counts what it drops.
    if (this.ingester.add(event) || this.ingester.stats.accepted > accepted) return;
    this.#isFull = true;
    void this.ingester.drained().then(() => {
      this.#isFull = false;
    });
    throw busy('The queue is full.', index);
  }
}

/** Options with what applies them. @throws LogOptionsException */
function resolveSettings(options: IngestHandlerOptions) {
  requireOptions(OWNER, options);
  const {
    ingester,
    allowedOrigins,
    allowedFields,
    clientAddress = (_, remoteAddress) => remoteAddress,
    maxBodyBytes = 65_536,
    maxRequestsPerMinute = 300,
    maxTotalRequestsPerMinute = 6_000,
    ...delivery
  } = options;
  const own: IngesterOptions = { ...delivery, overflow: 'block' };
  const atLeastOne = (name: string, value: unknown, orInfinity = false): number =>
    requireInteger(OWNER, name, value, { min: 1, orInfinity });
  const rateLimit = (name: string, value: unknown) => (): RateLimit =>
    new RateLimit(atLeastOne(name, value, true));
  const checks = {
    maxBodyBytes: () => new BodyReader(atLeastOne('maxBodyBytes', maxBodyBytes)),
    maxRequestsPerMinute: rateLimit('maxRequestsPerMinute', maxRequestsPerMinute),
    maxTotalRequestsPerMinute: rateLimit('maxTotalRequestsPerMinute', maxTotalRequestsPerMinute),
    clientAddress: () => requireFunction(OWNER, 'clientAddress', clientAddress),
    allowedOrigins: () => new OriginCheck(OWNER, allowedOrigins),
    allowedFields: () => new FieldFilter(OWNER, allowedFields),
    ingester: () => (ingester === undefined ? void resolveIngesterOptions(own) : alone(ingester, delivery)),
  } satisfies Record<Exclude<keyof IngestHandlerOptions, keyof IngesterOptions>, () => unknown>;
  refuseUnknownOptions(OWNER, options, [...Object.keys(checks), ...OPTION_NAMES]);
  return { ...resolveAll(checks), own };
}

function alone(ingester: Ingester, delivery: object): Ingester {
  const [other] = Object.keys(delivery);
  if (other !== undefined) {
    throw new LogOptionsException(
      `${OWNER}: "ingester" and "${other}" can't be combined. Pass "${other}" to the ingester.`,
    );
  }
  // Not `instanceof`: an app can load this package as ES module and as CommonJS.
  if (typeof ingester?.add === 'function') return ingester;
  throw new LogOptionsException(`${OWNER}: "ingester" must be an Ingester.`);
}

function errorResponse(rejection: Rejection, cors: Readonly<Record<string, string>>): Response {
  const { status, message, reason, details } = rejection;
  const { retryAfterSeconds, accepted } = details;
  const body: BrowserRecordsError = { error: message, reason, ...(accepted && { accepted }) };
  const headers = {
    ...cors,
    'content-type': 'application/json',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 405 && { allow: 'POST, OPTIONS' }),
  };
  return new Response(JSON.stringify(body), { status, headers });
}
