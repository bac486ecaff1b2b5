import type { Context, Hono } from 'hono';
import { HttpError, notFound } from './http/http-error.ts';
import type { ServerContext } from './server-context.ts';
import { DiskError } from './state-folder.ts';

/**
 * Adds the responses for unknown paths and for failures.
 *
 * @param intro Text above the list of paths in the response for an unknown path.
 */
export function withFallbackResponses(app: Hono, context: ServerContext, intro: string): Hono {
  const { onWarning } = context.options;
  app.notFound((c) => {
    const error = unknownRoute(app, c, intro);
    c.error = error;
    return error.toResponse(c.req.raw);
  });
  app.onError((error, c) => {
    if (error instanceof HttpError) return error.toResponse(c.req.raw);
    const isDisk = error instanceof DiskError;
    const known = isDisk
      ? new HttpError(503, error.message)
      : new HttpError(500, 'There was an internal server error.');
    if (!isDisk) onWarning(`${c.req.method} ${c.req.path} failed inside the local server: ${error.stack}`);
    c.error = known; // For the list of rejections.
    return known.toResponse(c.req.raw);
  });
  return app;
}

/** 405 for a path with other methods, otherwise a 404 that lists the paths. */
function unknownRoute(app: Hono, c: Context, intro: string): HttpError {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  const methods = [...new Set(routes.map(({ method }) => method))].sort();
  // Middleware matches every method.
  const supported = methods.filter((method) =>
    app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method),
  );
  if (supported.length > 0) {
    const names = supported.join(', ');
    return new HttpError(405, `HTTP method not allowed, supported methods: ${names}`, { allow: names });
  }
  const served = [...new Set(routes.map(({ method, path }) => `${method} ${readable(path)}`))];
  return notFound(`There is no ${c.req.method} ${c.req.path}.\n${intro}\n${served.join('\n')}`);
}

/** Prints `/:family{a|b}/:id` as `/{a|b}/{id}`. */
function readable(path: string): string {
  return path.replace(/:\w+\{([^}]*)\}/g, '{$1}').replace(/:(\w+)/g, '{$1}');
}
