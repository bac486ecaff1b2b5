import type { Context } from 'hono';
import { limitMessage } from '../queries/query-limits.ts';
import type { ServerContext } from '../server-context.ts';

/** Tells why an answer breaks off that has begun: its client only loses the connection. */
export function warnOfCut({ options }: ServerContext, c: Context, error: unknown): void {
  const reason = limitMessage(error) ?? (error instanceof Error ? error.stack : String(error));
  options.onWarning(`The response to ${c.req.method} ${c.req.path} was cut off. ${reason}`);
}
