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
      uptime: printUptime(clock.now() - startedAt),
      version: SERVICE_VERSION,
      oks: [{ name: 'event-store', status: 'OK', statusMessage: 'Events are stored.', fields }],
      warnings: [],
      down: [],
    });
  });
}

/** `3d 4h`: the two largest units. */
function printUptime(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([amount]) => amount > 0);
  const shown = first === -1 ? units.slice(-1) : units.slice(first, first + 2);
  return shown.map(([amount, unit]) => `${amount}${unit}`).join(' ');
}
