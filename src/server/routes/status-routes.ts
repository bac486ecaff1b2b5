import type { Hono } from 'hono';
import { onlyUsers } from '../http/authentication.ts';
import type { ServerContext } from '../server-context.ts';
import { SERVICE_VERSION } from '../service-version.ts';

export function statusRoutes(app: Hono, context: ServerContext): void {
  const { clock, options, repositories } = context;
  const startedAt = clock.now();

  app.get('/api/v1/status', (c) => c.json({ status: 'OK', version: SERVICE_VERSION }));

  app.get('/api/v1/is-node-up', (c) => c.text('true'));

  app.get('/api/v1/health', onlyUsers(context), (c) => c.text('OK\n'));

  app.get('/api/v1/health-json', onlyUsers(context), (c) => {
    const events = repositories.list().reduce((total, { store }) => total + store.count, 0);
    const fields = {
      repositories: String(repositories.list().length),
      events: String(events),
      maxEventsPerRepository: String(options.maxEvents),
      maxBytesPerRepository: String(options.maxBytes),
    };
    return c.json({
      status: 'OK',
      statusMessage: 'The local server is running.',
      uptime: `${Math.floor((clock.now() - startedAt) / 1000)}s`,
      version: SERVICE_VERSION,
      oks: [{ name: 'event-store', status: 'OK', statusMessage: 'Events are stored.', fields }],
      warnings: [],
      down: [],
    });
  });
}
