import { type Context, Hono } from 'hono';
import { HttpError } from '../http/http-error.ts';
import { textOf } from '../http/request-body.ts';
import { recordRejection } from '../rejections/record-rejections.ts';
import type { ServerContext } from '../server-context.ts';
import { RowBatch } from '../store/row-batch.ts';
import { checkCount, parseBody, requestIngest } from './ingest.ts';

const BASE = '/api/v1/ingest/otlp';
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const RECORD_FIX = 'Log smaller records. The other records of the request were stored.';

/** The codes of gRPC for the statuses of HTTP that clients see here. */
const CODES: Readonly<Record<number, number>> = { 401: 16, 403: 7, 404: 5, 413: 8, 415: 3, 429: 8, 503: 14 };

/** The decoder is loaded for the first request. */
const decoders = () =>
  Promise.all([
    import('../otlp/json-logs.ts'),
    import('../otlp/protobuf-logs.ts'),
    import('../otlp/otlp-events.ts'),
  ]);

/** Logs of OpenTelemetry, over HTTP in protobuf or JSON. */
export function otlpRoutes(context: ServerContext): Hono {
  const store = requestIngest(context);
  const routes = new Hono();

  const ingest = async (c: Context): Promise<Response> => {
    const isJson = isJsonRequest(c);
    const [{ jsonLogs }, { protobufLogs, protobufResponse }, { otlpEvents }] = await decoders();
    const rejected: string[] = [];
    await store(c, function* (body, target, now) {
      const records = isJson ? jsonLogs(yield* parseBody(textOf(body))) : protobufLogs(body);
      const events = yield* otlpEvents(records, target, now, (reason) => rejected.push(reason));
      checkCount(events.length);
      return new RowBatch(events);
    });
    recordRejected(context, c, rejected);
    const message = rejected[0] ?? '';
    if (!isJson) return respond(PROTOBUF, protobufResponse(rejected.length, message));
    const partialSuccess = { rejectedLogRecords: String(rejected.length), errorMessage: message };
    return c.json(rejected.length === 0 ? {} : { partialSuccess });
  };

  const reject = (signal: string) => (c: Context) => {
    context.authentication.principal(c.req.raw);
    const fix = `Disable the exporter of ${signal}: OTEL_${signal.toUpperCase()}_EXPORTER=none.`;
    throw withoutFix(404, `The local server accepts logs over OTLP, but not ${signal}. ${fix}`);
  };
  for (const path of [BASE, `${BASE}/v1/logs`, '/v1/logs']) routes.post(path, inEncoding(ingest));
  for (const signal of ['traces', 'metrics']) {
    for (const path of [`${BASE}/v1/${signal}`, `/v1/${signal}`])
      routes.post(path, inEncoding(reject(signal)));
  }
  routes.use('/:service{opentelemetry\\.proto\\.collector\\..+}/Export', rejectGrpc);
  return routes;
}

/** Clients expect errors in the encoding of their request. */
function inEncoding(handler: (c: Context) => Response | Promise<Response>): typeof handler {
  return async (c) => {
    try {
      return await handler(c);
    } catch (error) {
      throw error instanceof HttpError ? await OtlpError.of(error, mediaType(c)) : error;
    }
  };
}

/** An error whose response is a `google.rpc.Status`. */
class OtlpError extends HttpError {
  #body: Uint8Array<ArrayBuffer> | undefined;

  static async of(cause: HttpError, type: string): Promise<OtlpError> {
    const error = new OtlpError(cause.status, cause.message, cause.headers, cause.eventNumber);
    error.excerpt = type === JSON_TYPE ? cause.excerpt : undefined;
    error.fix = cause.fix;
    if (type === PROTOBUF) {
      const { protobufStatus } = await import('../otlp/protobuf-logs.ts');
      error.#body = protobufStatus(codeOf(cause.status), cause.message);
    }
    return error;
  }

  override toResponse(): Response {
    const { status, message, headers } = this;
    const body = this.#body ?? JSON.stringify({ code: codeOf(status), message });
    return respond(this.#body === undefined ? JSON_TYPE : PROTOBUF, body, status, headers);
  }
}

function codeOf(status: number): number {
  return CODES[status] ?? (status >= 500 ? 13 : 3);
}

function respond(
  type: string,
  body: Uint8Array<ArrayBuffer> | string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { status, headers: { ...headers, 'content-type': type } });
}

function mediaType(c: Context): string {
  const [type = ''] = (c.req.header('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** @throws HttpError 415 unless the request is in an encoding of OTLP. */
function isJsonRequest(c: Context): boolean {
  const type = mediaType(c);
  if (type === JSON_TYPE) return true;
  if (type === PROTOBUF) return false;
  if (type.startsWith('application/grpc')) return rejectGrpc();
  throw new HttpError(
    415,
    `OTLP requests must have the Content-Type ${PROTOBUF} or ${JSON_TYPE} (got ${JSON.stringify(type)}).`,
  );
}

function rejectGrpc(): never {
  throw withoutFix(
    415,
    'The local server accepts OTLP over HTTP, but not over gRPC. Set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.',
  );
}

/** An error whose message says what to do. */
function withoutFix(status: number, message: string): HttpError {
  return Object.assign(new HttpError(status, message), { fix: '' });
}

function recordRejected(context: ServerContext, c: Context, reasons: readonly string[]): void {
  for (const reason of new Set(reasons)) {
    const count = reasons.filter((other) => other === reason).length;
    recordRejection(context, c, { status: 200, reason, fix: RECORD_FIX }, count);
  }
}
