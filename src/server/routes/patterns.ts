import type { Hono } from 'hono';
import { forwardAbort } from '../../core/forward-abort.ts';
import { environmentOf } from '../environment.ts';
import { HttpError } from '../http/http-error.ts';
import { domainEvents } from '../queries/domain-events.ts';
import { findPatterns } from '../queries/find-patterns.ts';
import { limitMessage } from '../queries/query-limits.ts';
import { readQueryRequest } from '../queries/query-request.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, readJsonObject, searchDomainOf } from './request.ts';

/** Similar messages of a whole result, for the web page. The body is that of a query. */
export function patternsRoutes(app: Hono, context: ServerContext): void {
  const { admission, authentication, clock, closing, options, searchDomains } = context;
  app.post(`${REPOSITORY_PATH}/patterns`, async (c) => {
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
      const patterns = await findPatterns({
        request,
        store: repository.store,
        source: domainEvents(repository, searchDomains, request.useIngestTime),
        now,
        share,
        limits: options,
        isStopped: () => ending.signal.aborted,
      });
      if (patterns !== undefined) return c.json(patterns);
    } catch (error) {
      const message = limitMessage(error);
      throw message === undefined ? error : new HttpError(500, message);
    } finally {
      release();
    }
    throw new HttpError(503, 'The query was stopped: its client disconnected, or the server is closing.');
  });
}
