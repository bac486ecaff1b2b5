import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';

/** Beside the bundle; for the sources, in the output of the build. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/page/' : 'page/', import.meta.url);

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

type FileName = keyof typeof TYPES;

/** Only our own files: nothing inside a log record can load, run or send anything. */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The web page, for browsers that open `/`.
 *
 * @param greeting what other clients get at `/`, as does everyone if the page was not installed with the server
 */
export function pageRoutes(greeting: string): Hono {
  const files = new Map<FileName, PageFile>();
  const fileOf = (name: FileName): PageFile => {
    const file = files.get(name) ?? readPageFile(name);
    files.set(name, file);
    return file;
  };
  const routes = new Hono();
  routes.get('/', (c) => {
    c.header('vary', 'accept');
    if (!(c.req.header('accept') ?? '').includes('text/html')) return c.text(greeting);
    try {
      return answer(c, fileOf('index.html'));
    } catch {
      return c.text(greeting);
    }
  });
  for (const name of ['page.js', 'page.css', 'icon.svg'] as const) {
    routes.get(`/page/${name}`, (c) => answer(c, fileOf(name)));
  }
  return routes;
}

function readPageFile(name: FileName): PageFile {
  const content = new Uint8Array(readFileSync(new URL(name, FOLDER)));
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  // Browsers keep the files and ask each time whether they have changed.
  const headers = { ...SECURITY_HEADERS, 'content-type': TYPES[name], 'cache-control': 'no-cache', etag };
  return { content, headers };
}

function answer(c: Context, { content, headers }: PageFile): Response {
  const known = c.req.header('if-none-match') === headers.etag;
  return known ? c.body(null, 304, headers) : c.body(content, 200, headers);
}
