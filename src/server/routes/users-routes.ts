import type { Hono } from 'hono';
import { onlyUsers } from '../http/authentication.ts';
import { malformed } from '../http/http-error.ts';
import type { LocalUser } from '../registries/users.ts';
import type { LogscaleContext } from '../server-context.ts';
import { readJsonObject } from './request.ts';

/** `/api/v1/users`: only for the root user, as on the service. */
export function usersRoutes(app: Hono, context: LogscaleContext): void {
  const { options, users } = context;
  const path = '/api/v1/users';
  app.use(`${path}/*`, onlyUsers(context));
  app.get(path, (c) => c.json(users.list().map(restUser)));

  app.post(path, async (c) => {
    const { email, isRoot = false } = await readJsonObject(c, options.maxRequestBytes);
    if (typeof email !== 'string') throw malformed("Object is missing required member 'email', a string.");
    if (typeof isRoot !== 'boolean') throw malformed("Member 'isRoot' must be true or false.");
    return c.json(restUser(users.add({ email, isRoot })));
  });

  app.delete(`${path}/:userId`, (c) => c.json(restUser(users.remove(c.req.param('userId')))));
}

/** The REST API calls the ID `userID`. */
function restUser({ id, email = '', ...rest }: LocalUser): Record<string, unknown> {
  return { userID: id, email, ...rest };
}
