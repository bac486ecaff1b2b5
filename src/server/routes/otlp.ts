import { type Context, Hono } from 'hono';
import { HttpError } from '../http/http-error.ts';
import { textOf } from '../http/request-body.ts';
import type { Signal } from '../otlp/signal.ts';
import { recordRejection } from '../rejections/record-rejections.ts';
import type { ServerContext } from '../server-context.ts';
import { RowBatch } from '../store/row-batch.ts';
import { checkCount, parseBody, requestIngest } from './ingest.ts';

const BASE = '/api/v1/ingest/otlp';
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const RECORD_FIX = 'Correct the record, or send smaller ones. The other records of the request were stored.';

/** gRPC codes for the HTTP statuses that clients see here. */
const CODES: Readonly<Record<number, number>> = { 401: 16, 403: 7, 404: 5, 413: 8, 415: 3, 429: 8, 503: 14 };

/** Loads the decoder with the first request. */
const decoders = () =>
  Promise.all([
    import('../otlp/json-records.ts'),
    import('../otlp/protobuf-records.ts'),
    import('../otlp/otlp-events.ts'),
    import('../otlp/signal.ts'),
  ]);

/** OpenTelemetry logs, traces and metrics over HTTP, in protobuf or JSON. */
export function otlpRoutes(app: Hono, context: ServerContext): void {
  const store = requestIngest(context);
  const routes = new Hono();

  const ingest = async (c: Context, name: Signal['name']): Promise<Response> => {
    const isJson = isJsonRequest(c);
    const [{ jsonRecords }, { protobufRecords, protobufResponse }, { otlpEvents }, { SIGNALS }] =
      await decoders();
    const signal = SIGNALS[name];
    const rejected: string[] = [];
    await store(c, function* (body, target) {
      const records = isJson
        ? jsonRecords(yield* parseBody(textOf(body)), signal)
        : protobufRecords(body, signal);
      const events = yield* otlpEvents(records, target, (reason) => rejected.push(reason));
      checkCount(events.length);
      return new RowBatch(events);
    });
    recordRejected(context, c, rejected);
    const message = rejected[0] ?? '';
    if (!isJson) return respond(protobufResponse(rejected.length, message));
    const partialSuccess = { [signal.rejected]: String(rejected.length), errorMessage: message };
    return c.json(rejected.length === 0 ? {} : { partialSuccess });
  };

  routes.post(BASE, (c) => ingest(c, 'logs'));
  for (const signal of ['logs', 'traces', 'metrics'] as const) {
    for (const base of [BASE, '']) routes.post(`${base}/v1/${signal}`, (c) => ingest(c, signal));
  }
  routes.onError(errorResponse);
  app.route('/', routes);
  app.use('/:service{opentelemetry\\.proto\\.collector\\..+}/Export', rejectGrpc);
}

/** Clients expect errors in the encoding of their request: as a `google.rpc.Status`. */
async function errorResponse(error: Error, c: Context): Promise<Response> {
  if (!(error instanceof HttpError)) throw error;
  const { status, message, headers } = error;
  const code = codeOf(status);
  if (mediaType(c) !== PROTOBUF) return Response.json({ code, message }, { status, headers });
  error.excerpt = undefined;
  const { protobufStatus } = await import('../otlp/protobuf-records.ts');
  return respond(protobufStatus(code, message), status, headers);
}

function codeOf(status: number): number {
  return CODES[status] ?? (status >= 500 ? 13 : 3);
}

function respond(body: Uint8Array<ArrayBuffer>, status = 200, headers: HttpError['headers'] = {}): Response {
  return new Response(body, { status, headers: { ...headers, 'content-type': PROTOBUF } });
}

function mediaType(c: Context): string {
  const [type = ''] = (c.req.header('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** @throws HttpError 415 for other content types. */
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
