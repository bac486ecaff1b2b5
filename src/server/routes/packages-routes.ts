import type { Hono } from 'hono';
import { onlyUsers } from '../http/authentication.ts';
import { HttpError } from '../http/http-error.ts';
import type { ServerContext } from '../server-context.ts';

/** The part of the report on a package that clients show. */
const REPORT = { installationErrors: ['The local server has no packages.'], parseErrors: [] };

/** The local server doesn't support packages: each one is reported as not installable. */
export function packagesRoutes(app: Hono, context: ServerContext): void {
  const users = onlyUsers(context);
  app.post('/api/v1/packages/analyze', users, (c) => c.json(REPORT));
  app.post('/api/v1/packages/install', users, (c) => {
    c.error = new HttpError(400, REPORT.installationErrors.join(), {}, ''); // For the list of rejections.
    return c.json({ ...REPORT, responseType: 'error' }, 400);
  });
}
