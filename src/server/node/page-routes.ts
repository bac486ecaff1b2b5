import type { Context, Hono } from 'hono';
import { tryOr } from '../../core/try-or.ts';
import { PAGE_ASSETS, type PageFileName, PageFiles } from './page-files.ts';

/** For people who request `/` with a program that is no browser. */
const GREETING = `This is the local server of logclient: the HTTP API of Falcon LogScale (formerly Humio) on one computer.

REST     /api/v1/              GET /api/v1/status returns the health
GraphQL  POST /graphql
HEC      POST /services/collector
`;

/** The web page at `/`, for browsers. Other clients get the greeting, and so do browsers if the page is not installed. */
export function pageRoutes(app: Hono): void {
  const files = new PageFiles();
  app.get('/', (c) => {
    c.header('vary', 'accept');
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.text(GREETING);
    return tryOr(undefined, () => respond(c, files, 'index.html')) ?? c.text(GREETING);
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
