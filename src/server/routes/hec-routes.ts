import type { Context, Hono } from 'hono';
import { HecError } from '../http/hec-error.ts';
import { textOf } from '../http/request-body.ts';
import { hecEvents } from '../ingest/hec-events.ts';
import { lineEvents } from '../ingest/message-events.ts';
import type { ServerContext } from '../server-context.ts';
import { type Reader, requestIngest, rowsOf } from './ingest-routes.ts';

const COLLECTOR = '/services/collector';

const events: Reader = (body, target) => rowsOf(hecEvents(textOf(body), target));
const lines: Reader = (body, target, c) => {
  const channel = c.req.header('x-splunk-request-channel') ?? c.req.query('channel');
  const text = textOf(body);
  if (text.trim() === '') throw new HecError('noData');
  return rowsOf(lineEvents(text, target, channel));
};

export function hecRoutes(app: Hono, context: ServerContext): void {
  const store = hecIngest(context);
  collectorRoutes(app, context);
  app.post('/api/v1/ingest/hec', (c) => store(c, events));
  app.post('/api/v1/ingest/hec/raw', (c) => store(c, lines));
}

export function collectorRoutes(app: Hono, context: ServerContext): void {
  const store = hecIngest(context);
  for (const path of ['', '/event', '/event/1.0']) {
    app.post(`${COLLECTOR}${path}`, (c) => store(c, events));
  }
  for (const path of ['/raw', '/raw/1.0']) app.post(`${COLLECTOR}${path}`, (c) => store(c, lines));
  app.post(`${COLLECTOR}/ack`, (c) => {
    context.authentication.principal(c.req.raw);
    // A response with status 200 is the acknowledgment: its events are stored.
    return c.json({ text: 'ACK is disabled', code: 14 }, 400);
  });
  // Shippers check the health first, some of them without a token.
  for (const path of ['/health', '/health/1.0']) {
    app.get(`${COLLECTOR}${path}`, (c) => c.json({ text: 'HEC is healthy', code: 17 }));
  }
}

function hecIngest(context: ServerContext): (c: Context, read: Reader) => Promise<Response> {
  const store = requestIngest(context);
  return async (c, read) => {
    await store(c, read);
    return c.json({ text: 'Success', code: 0 });
  };
}
