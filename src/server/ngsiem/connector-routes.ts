import { Hono } from 'hono';
import { HecError } from '../http/hec-error.ts';
import { HttpError } from '../http/http-error.ts';
import { collectorRoutes } from '../routes/hec-routes.ts';
import type { ServerContext } from '../server-context.ts';

/** The HEC connector. Unlike LogScale, it names the invalid event of a request, as Splunk does. */
export function connectorRoutes(app: Hono, context: ServerContext): void {
  const routes = new Hono();
  collectorRoutes(routes, context);
  routes.onError((error) => {
    if (error instanceof HecError) return error.toResponse();
    if (!(error instanceof HttpError) || error.status !== 400 || error.eventNumber === undefined) throw error;
    return Response.json(
      { text: 'Invalid data format', code: 6, 'invalid-event-number': error.eventNumber },
      { status: 400, headers: error.headers },
    );
  });
  app.route('/', routes);
}
