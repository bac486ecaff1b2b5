import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TextEncoder } from 'node:util';
import { gunzipSync } from 'node:zlib';

/** Next to the bundle; for sources, in the build output. */
const FOLDER = new URL(import.meta.url.endsWith('.ts') ? '../../dist/page/' : 'page/', import.meta.url);

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type PageFileName = keyof typeof TYPES;

/** Allows only our own files: nothing in a log record can load, run or send anything. */
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

/** A file of the web page with the headers of its response. */
export interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string };
}

/** Files that the page loads from `/page/`. */
export const PAGE_ASSETS = ['page.js', 'page.css', 'icon.svg'] as const satisfies readonly PageFileName[];

/**
 * Reads a file of the web page.
 *
 * @param serviceUrl address of the service that the page shows, if another server proxies it.
 * @throws Error if the page was not installed with the package
 */
export function readPageFile(name: PageFileName, serviceUrl?: string): PageFile {
  const read = readFileSync(new URL(name, FOLDER));
  const content = new Uint8Array(
    name === 'index.html' && serviceUrl !== undefined
      ? new TextEncoder().encode(withService(read.toString('utf8'), serviceUrl))
      : read,
  );
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  // Browsers cache the files and revalidate them each time.
  const headers = { ...SECURITY_HEADERS, 'content-type': TYPES[name], 'cache-control': 'no-cache', etag };
  return { content, headers };
}

/**
 * The parts of the web page for a report: its code, and the script that runs its queries on the records in the report.
 */
export interface ReportPageFiles {
  readonly reportScript: string;
  readonly pageScript: string;
  readonly styles: string;
  readonly icon: string;
}

/** @throws Error if the page was not installed with the package */
export function readReportPageFiles(): ReportPageFiles {
  const read = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
  return {
    reportScript: gunzipSync(read('report.js.gz')).toString('utf8'),
    pageScript: read('page.js').toString('utf8'),
    styles: read('page.css').toString('utf8'),
    icon: read('icon.svg').toString('utf8'),
  };
}

function withService(html: string, serviceUrl: string): string {
  const escaped = serviceUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return html.replace('<title>', () => `<meta name="logclient-service" content="${escaped}">\n    <title>`);
}
