import type { Context, Hono } from 'hono';
import { PAGE_ASSETS, type PageFile, type PageFileName, readPageFile } from '../../internal/page-files.ts';

/**
 * The web page at `/`, for browsers.
 *
 * @param greeting response for other clients, and for browsers if the page is not installed
 */
export function pageRoutes(app: Hono, greeting: string): void {
  const files = new Map<PageFileName, PageFile>();
  const fileOf = (name: PageFileName): PageFile => {
    const file = files.get(name) ?? readPageFile(name);
    files.set(name, file);
    return file;
  };
  app.get('/', (c) => {
    c.header('vary', 'accept');
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.text(greeting);
    try {
      return answer(c, fileOf('index.html'));
    } catch {
      return c.text(greeting);
    }
  });
  for (const name of PAGE_ASSETS) app.get(`/page/${name}`, (c) => answer(c, fileOf(name)));
}

function answer(c: Context, { content, headers }: PageFile): Response {
  const known = c.req.header('if-none-match') === headers.etag;
  return known ? c.body(null, 304, headers) : c.body(content, 200, headers);
}
