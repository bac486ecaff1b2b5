import type { Hono } from 'hono';
import { environmentOf, requestEnd } from '../environment.ts';
import { HttpError } from '../http/http-error.ts';
import { costCollection } from '../queries/find-cost.ts';
import { type Collect, collectEvents, patternCollection } from '../queries/find-patterns.ts';
import { limitMessage } from '../queries/query-limits.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, readQuery, stopped } from './request.ts';

/** Similar messages of a whole result, or its bytes, for the web page. The body is that of a query. */
export function wholeResultRoutes(app: Hono, context: ServerContext): void {
  const add = <Result extends object>(name: string, collect: Collect<Result>) =>
    app.post(`${REPOSITORY_PATH}/${name}`, async (c) => {
      const { repository, ...requested } = await readQuery(context, c);
      const share = context.admission.open({ isLive: false });
      const end = requestEnd(c.req.raw, environmentOf(c).connection, context.closing);
      end.signal.addEventListener('abort', () => share.close(), { once: true });
      try {
        const result = await collectEvents({ ...requested, store: repository.store, share }, collect);
        if (result !== undefined) return c.json(result);
      } catch (error) {
        const message = limitMessage(error);
        throw message === undefined ? error : new HttpError(500, message);
      } finally {
        end.abort();
      }
      throw stopped();
    });
  add('patterns', patternCollection);
  add('cost', costCollection);
}
