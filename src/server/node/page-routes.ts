import type { Context, Hono } from 'hono';
import { tryOr } from '../../core/try-or.ts';
import { PAGE_ASSETS, type PageFileName, PageFiles } from './page-files.ts';

/**
 * The web page at `/`, for browsers.
 *
 * @param greeting response for other clients, and for browsers if the page is not installed
 */
export function pageRoutes(app: Hono, greeting: string): void {
  const files = new PageFiles();
  app.get('/', (c) => {
    c.header('vary', 'accept');
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.text(greeting);
    return tryOr(undefined, () => respond(c, files, 'index.html')) ?? c.text(greeting);
  });
  for (const name of PAGE_ASSETS) app.get(`/page/${name}`, (c) => respond(c, files, name));
}

function respond(c: Context, files: PageFiles, name: PageFileName): Response {
  const { status, headers, body } = files.respond(name, {
    acceptEncoding: c.req.header('accept-encoding'),
    ifNoneMatch: c.req.header('if-none-match'),
    version: c.req.query('v'),
  });
  return c.newResponse(body, status, headers);
}
