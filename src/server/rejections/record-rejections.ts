import type { Context, MiddlewareHandler } from 'hono';
import { shortenText } from '../../core/shorten-text.ts';
import { HttpError } from '../http/http-error.ts';
import type { ServerContext } from '../server-context.ts';
import { fixOf } from './fix.ts';
import { excerptOf, type RejectedRequest } from './rejection.ts';

const MAX_LENGTH = 500;
/** Lines before the actual reason. */
const INTRODUCTION = /^The (request content was malformed:|requested resource could not be found\.)\n/;
/** A reason that continues on the next line. */
const CONTINUED = /(Expected:)\n/;

/** Records every response with status 400 or above. */
export function recordRejections(context: ServerContext): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { status } = c.res;
    if (status < 400 || isOrdinary(c, status)) return;
    const error = c.error instanceof HttpError ? c.error : new HttpError(status, await c.res.clone().text());
    const { message: reason, excerpt, fix } = error;
    recordRejection(context, c, { status, reason, excerpt, fix });
  };
}

/** Records rejections of one kind that belong to a request. */
export function recordRejection(
  { rejections, authentication }: ServerContext,
  c: Context,
  rejected: Pick<RejectedRequest, 'status' | 'reason' | 'excerpt'> & { readonly fix?: string | undefined },
  count = 1,
): void {
  // The web page shows its own errors.
  if (c.req.header('sec-fetch-site') === 'same-origin') return;
  const client =
    (c.req.header('user-agent') ?? '').trim().slice(0, MAX_LENGTH) || 'a client without User-Agent';
  const token = authentication.tokenName(c.req.raw);
  const path = c.req.path.slice(0, MAX_LENGTH);
  const fix = rejected.fix ?? fixOf(rejected.status, token);
  const excerpt = rejected.excerpt ? excerptOf(rejected.excerpt) : undefined;
  const reason = reasonOf(rejected.reason) || `The response has status ${rejected.status}.`;
  rejections.add({ client, token, method: c.req.method, path, ...rejected, reason, fix, excerpt }, count);
}

/** The first line that says what is wrong. */
function reasonOf(message: string): string {
  const [reason = ''] = message.replace(INTRODUCTION, '').replace(CONTINUED, '$1 ').split('\n');
  return shortenText(reason, MAX_LENGTH);
}

/** Clients often look for something that may not exist: query jobs that have ended, files, a browser's icons. */
function isOrdinary({ req: { method, path } }: Context, status: number): boolean {
  if (status !== 404) return false;
  if (/\/queryjobs\/[^/]+$|\/files\//.test(path)) return true;
  return ['GET', 'HEAD'].includes(method) && !/^\/(api|services|humio)\//.test(path);
}
