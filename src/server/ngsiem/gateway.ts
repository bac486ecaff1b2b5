import type { MiddlewareHandler } from 'hono';
import type { ServerClock } from '../clock.ts';
import type { AccessTokens } from './access-tokens.ts';
import { FalconError, TRACE_HEADER } from './falcon-error.ts';
import type { NgsiemScope, ResolvedNgsiemOptions } from './ngsiem-options.ts';
import { rateLimit } from './rate-limit.ts';

/** Adds the headers that the API gateway adds to every response. */
export function gatewayHeaders({ region }: Pick<ResolvedNgsiemOptions, 'region'>): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('x-cs-region', region);
    if (!headers.has(TRACE_HEADER)) headers.set(TRACE_HEADER, crypto.randomUUID());
  };
}

/** Counts requests against a limit per minute and reports the limit in the headers of the response. */
export function rateLimited(limit: number, clock: ServerClock): MiddlewareHandler {
  const rate = rateLimit(limit, clock);
  return async (c, next) => {
    rate.count();
    await next();
    for (const [name, value] of Object.entries(rate.headers())) c.res.headers.set(name, value);
  };
}

/** Allows requests with a valid access token of a client with the scope that the method needs. */
export function authorized(tokens: AccessTokens, scopes: readonly NgsiemScope[]): MiddlewareHandler {
  return async (c, next) => {
    requireAccessToken(c.req.raw, tokens);
    const scope: NgsiemScope = c.req.method === 'GET' ? 'ngsiem:read' : 'ngsiem:write';
    if (!scopes.includes(scope)) {
      const fix = `Add ${scope} to the option "ngsiem.scopes" of the server.`;
      throw new FalconError(403, 'access denied, authorization failed', { fix });
    }
    await next();
  };
}

/** @throws FalconError 401 without a valid access token */
export function requireAccessToken(request: Request, tokens: AccessTokens): void {
  if (hasAccessToken(request, tokens)) return;
  const fix = 'Request an access token from /oauth2/token, and a new one when it expires.';
  throw new FalconError(401, 'access denied, invalid bearer token', { fix });
}

export function hasAccessToken(request: Request, tokens: AccessTokens): boolean {
  const [, token] = /^bearer\s+(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  return token !== undefined && tokens.isValid(token);
}
