import type { MiddlewareHandler } from 'hono';
import { hostProblem, isLoopbackHost } from '../../core/allowed-hosts.ts';
import type { ServerContext } from '../server-context.ts';
import { HttpError } from './http-error.ts';

/** Rejects requests that a foreign website may have sent. */
export function checkHost({ options: { allowedHosts, host } }: ServerContext): MiddlewareHandler {
  const isLoopback = isLoopbackHost(host);
  return async ({ req }, next) => {
    const source = { method: req.method, host: req.header('host'), origin: req.header('origin') };
    const problem = hostProblem(source, { allowedHosts, isLoopback });
    if (problem !== undefined) throw new HttpError(403, problem, {}, '');
    await next();
  };
}
