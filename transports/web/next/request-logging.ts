import { randomUUID } from 'node:crypto';
import { NextResponse } from 'next/server.js';
import { type NextLogger, withRequestFields } from './next-logger.ts';

/** Header with the ID of a request. */
export const REQUEST_ID = 'x-request-id';

/** All records of a request contain its ID. Longer ones are replaced. */
const MAX_ID_LENGTH = 200;

/** The ID that a client or a proxy has set. */
export function givenId(id: string | null | undefined): string | undefined {
  return id && id.length <= MAX_ID_LENGTH ? id : undefined;
}

/** A proxy returns nothing to continue to the route. */
// biome-ignore lint/suspicious/noConfusingVoidType: functions without a return statement are proxies too.
export type ProxyResult = Response | null | undefined | void;

/** See `NextLogging.withProxyLogging`. */
export function logProxy(
  log: NextLogger,
  request: Request,
  handler: () => ProxyResult | Promise<ProxyResult>,
): Promise<Response> {
  const { headers } = request;
  if (givenId(headers.get(REQUEST_ID)) === undefined) headers.set(REQUEST_ID, randomUUID());
  const proceed = () => NextResponse.next({ request: { headers } });
  return logRequest(log, request, async () => (await handler()) || proceed());
}

/** See `NextLogging.withLogging`. */
export async function logRequest<Result extends Response>(
  log: NextLogger,
  request: Request,
  handler: () => Result | Promise<Result>,
): Promise<Result> {
  const requestId = givenId(request.headers.get(REQUEST_ID)) ?? randomUUID();
  // Query strings can contain secrets.
  const http = { method: request.method, path: new URL(request.url).pathname };
  const start = performance.now();
  const record = (status: number | undefined): void => {
    const durationMs = Math.round(performance.now() - start);
    if (status === undefined) log.info('request received', { http });
    else log[levelOf(status)]('request handled', { http: { ...http, status }, durationMs });
  };
  return withRequestFields({ requestId }, async () => {
    try {
      const result = await handler();
      record(statusOf(result));
      return result;
    } catch (error) {
      record(thrownStatus(error));
      throw error;
    }
  });
}

function levelOf(status: number): 'info' | 'warn' | 'error' {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
}

/** `undefined` if a proxy continues to the route, which decides the status. */
function statusOf({ status, headers }: Response): number | undefined {
  const continues = headers.has('x-middleware-next') || headers.has('x-middleware-rewrite');
  return continues ? undefined : status;
}

/** `redirect()`, `notFound()` and similar functions of Next.js throw errors whose digests contain the status. */
function thrownStatus(error: unknown): number {
  const digest = String((error as { digest?: unknown } | null)?.digest);
  const status = /^NEXT_REDIRECT;.*;(\d{3});$|^NEXT_HTTP_ERROR_FALLBACK;(\d{3})$/.exec(digest);
  return Number(status?.[1] ?? status?.[2] ?? 500);
}
