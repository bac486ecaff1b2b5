import type { Hono } from 'hono';
import { forwardAbort } from '../../core/forward-abort.ts';
import { environmentOf } from '../environment.ts';
import { HttpError } from '../http/http-error.ts';
import { domainEvents } from '../queries/domain-events.ts';
import { costCollection } from '../queries/find-cost.ts';
import {
  type Collect,
  collectEvents,
  type EventSearch,
  patternCollection,
} from '../queries/find-patterns.ts';
import { limitMessage } from '../queries/query-limits.ts';
import { readQueryRequest } from '../queries/query-request.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, readJsonObject, searchDomainOf } from './request.ts';

/** Similar messages of a whole result, or its bytes, for the web page. The body is that of a query. */
export function wholeResultRoutes(app: Hono, context: ServerContext): void {
  const { admission, authentication, clock, closing, options, searchDomains } = context;
  const add = <Result extends object>(name: string, collect: Collect<Result>) =>
    app.post(`${REPOSITORY_PATH}/${name}`, async (c) => {
      authentication.requireUser(c.req.raw);
      const repository = searchDomainOf(context, c);
      const library = repositoryLibrary(repository, searchDomains, context.referenceData);
      const body = await readJsonObject(c, options.maxRequestBytes);
      const now = clock.now();
      const request = readQueryRequest(body, now, library, repository.eventFilter);
      const ending = new AbortController();
      const share = admission.open({ isLive: false });
      ending.signal.addEventListener('abort', () => share.close(), { once: true });
      const release = forwardAbort(closing, ending);
      const { connection } = environmentOf(c);
      if (connection === undefined) forwardAbort(c.req.raw.signal, ending);
      else connection.onClose(() => ending.abort());
      try {
        const search: EventSearch = {
          request,
          store: repository.store,
          source: domainEvents(repository, searchDomains, request.useIngestTime),
          now,
          share,
        };
        const result = await collectEvents(search, collect);
        if (result !== undefined) return c.json(result);
      } catch (error) {
        const message = limitMessage(error);
        throw message === undefined ? error : new HttpError(500, message);
      } finally {
        release();
      }
      throw new HttpError(503, 'The query was stopped: its client disconnected, or the server is closing.');
    });
  add('patterns', patternCollection);
  add('cost', costCollection);
}
