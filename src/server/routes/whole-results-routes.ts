import type { Hono } from 'hono';
import { type Collect, collectEvents, costCollection, patternCollection } from '../queries/find-patterns.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, readQuery, runForClient } from './request.ts';

/** Similar messages of a whole result, or its bytes, for the web page. The body is that of a query. */
export function wholeResultRoutes(app: Hono, context: ServerContext): void {
  const add = <Result extends object>(name: string, collect: Collect<Result>) =>
    app.post(`${REPOSITORY_PATH}/${name}`, async (c) => {
      const { now, ...requested } = await readQuery(context, c);
      const result = await runForClient(context, c, false, async (share, end) => {
        const collected = await collectEvents({ ...requested, share }, now, collect);
        end.abort();
        return collected;
      });
      return c.json(result);
    });
  add('patterns', patternCollection);
  add('cost', costCollection);
}
