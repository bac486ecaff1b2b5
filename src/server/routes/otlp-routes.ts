import { type Context, Hono } from 'hono';
import { HttpError } from '../http/http-error.ts';
import { textOf } from '../http/request-body.ts';
import { OTHER_SIGNALS, type OtherSignal } from '../otlp/other-signals.ts';
import { recordRejection } from '../rejections/record-rejections.ts';
import type { ServerContext } from '../server-context.ts';
import { RowBatch } from '../store/row-batch.ts';
import { checkCount, parseBody, requestIngest } from './ingest-routes.ts';

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
  ]);

/** OpenTelemetry logs over HTTP, in protobuf or JSON. Other signals are answered, but not stored. */
export function otlpRoutes(app: Hono, context: ServerContext): void {
  const store = requestIngest(context);
  const routes = new Hono();

  const ingest = async (c: Context): Promise<Response> => {
    const isJson = isJsonRequest(c);
    const [{ jsonRecords }, { protobufRecords }, { otlpEvents }] = await decoders();
    const rejected: string[] = [];
    await store(c, function* (body, target) {
      const records = isJson ? jsonRecords(yield* parseBody(textOf(body))) : protobufRecords(body);
      const events = yield* otlpEvents(records, target, (reason) => rejected.push(reason));
      checkCount(events.length);
      return new RowBatch(events);
    });
    for (const reason of new Set(rejected)) {
      const count = rejected.filter((other) => other === reason).length;
      recordRejection(context, c, { status: 200, reason, fix: RECORD_FIX }, count);
    }
    return succeeded(c, 'rejectedLogRecords', rejected.length, rejected[0]);
  };

  const answer = async (c: Context, signal: OtherSignal): Promise<Response> => {
    const isJson = isJsonRequest(c);
    const { countJson, countProtobuf } = await import('../otlp/count-records.ts');
    let count = 0;
    await store(c, function* (body) {
      count = isJson
        ? yield* countJson(yield* parseBody(textOf(body)), signal)
        : yield* countProtobuf(body, signal);
      return new RowBatch([]);
    });
    const { reason } = signal;
    if (count > 0) recordRejection(context, c, { status: 200, reason, fix: '' }, count);
    return succeeded(c, signal.rejected, count, reason);
  };

  for (const base of [BASE, '']) {
    routes.post(`${base}/v1/logs`, ingest);
    for (const signal of OTHER_SIGNALS) routes.post(`${base}/v1/${signal.name}`, (c) => answer(c, signal));
  }
  routes.post(BASE, ingest);
  routes.onError(errorResponse);
  app.route('/', routes);
  app.use('/:service{opentelemetry\\.proto\\.collector\\..+}/Export', rejectGrpc);
}

/** A response to an accepted request. @param reason why records were rejected */
async function succeeded(c: Context, member: string, rejected: number, reason = ''): Promise<Response> {
  if (isJsonRequest(c)) {
    const partialSuccess = { [member]: String(rejected), errorMessage: reason };
    return c.json(rejected === 0 ? {} : { partialSuccess });
  }
  const { protobufResponse } = await import('../otlp/protobuf-records.ts');
  return respond(protobufResponse(rejected, reason));
}

/** Clients expect errors in the encoding of their request: as a `google.rpc.Status`. */
async function errorResponse(error: Error, c: Context): Promise<Response> {
  if (!(error instanceof HttpError)) throw error;
  const { status, message, headers } = error;
  const code = CODES[status] ?? (status >= 500 ? 13 : 3);
  if (mediaType(c) !== PROTOBUF) return Response.json({ code, message }, { status, headers });
  error.excerpt = undefined;
  const { protobufStatus } = await import('../otlp/protobuf-records.ts');
  return respond(protobufStatus(code, message), status, headers);
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
  const message = `OTLP requests must have the Content-Type ${PROTOBUF} or ${JSON_TYPE} (got ${JSON.stringify(type)}).`;
  throw new HttpError(415, message);
}

function rejectGrpc(): never {
  const message =
    'The local server accepts OTLP over HTTP, but not over gRPC. Set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.';
  throw new HttpError(415, message, {}, '');
}
