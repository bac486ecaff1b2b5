import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '../../core/accepts-gzip.ts';

/** Next to the bundle; for sources, in the build output. */
const PAGE_FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/page/' : 'page/',
  import.meta.url,
);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The header `Content-Type` of a file of the page. */
export function contentTypeOf(name: string): string {
  return TYPES[name.split('.').at(-1)!]!;
}

/** Whether the package contains only the compressed file. */
const isCompressed = (name: string): boolean => /\.(?:js|css)$/.test(name);

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

/** Files that the page loads from `/page/`. */
export const PAGE_ASSETS = ['page.js', 'charts.js', 'checks.js', 'page.css', 'icon.svg'] as const;

export type PageFileName = 'index.html' | (typeof PAGE_ASSETS)[number];

/** The parts of a request for a file that its response depends on. */
export interface PageRequest {
  /** The header `Accept-Encoding`. */
  readonly acceptEncoding?: string | undefined;
  /** The header `If-None-Match`. */
  readonly ifNoneMatch?: string | undefined;
  /** The version in the address, which is a hash of the content. */
  readonly version?: string | null | undefined;
}

export interface PageResponse {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** The files of the web page, which are read when they are first requested. */
export class PageFiles {
  readonly #serviceUrl: string | undefined;
  readonly #files = new Map<PageFileName, { readonly content: Buffer<ArrayBuffer>; readonly hash: string }>();

  /** @param serviceUrl address of the service that the page shows, if another server proxies it. */
  constructor(serviceUrl?: string) {
    this.#serviceUrl = serviceUrl;
  }

  /**
   * The response to a request for a file. Browsers keep what they request with its version, and revalidate the rest.
   *
   * @throws Error if the page was not installed with the package
   */
  respond(name: PageFileName, { acceptEncoding, ifNoneMatch, version }: PageRequest): PageResponse {
    const { content, hash } = this.#file(name);
    const isGzip = isCompressed(name) && acceptsGzip(acceptEncoding);
    const etag = isGzip ? `"${hash}-gzip"` : `"${hash}"`;
    const headers = {
      ...SECURITY_HEADERS,
      'content-type': contentTypeOf(name),
      'cache-control': version === hash ? 'max-age=31536000, immutable' : 'no-cache',
      etag,
      ...(isCompressed(name) ? { vary: 'accept-encoding' } : {}),
    };
    const known = ifNoneMatch?.split(',').map((entry) => entry.trim().replace(/^W\//, ''));
    if (known?.includes(etag) || known?.includes('*')) return { status: 304, headers, body: null };
    const body = isCompressed(name) && !isGzip ? gunzipSync(content) : content;
    const coding: Record<string, string> = isGzip ? { 'content-encoding': 'gzip' } : {};
    return { status: 200, headers: { ...headers, ...coding, 'content-length': String(body.length) }, body };
  }

  #file(name: PageFileName): { readonly content: Buffer<ArrayBuffer>; readonly hash: string } {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const read = readInstalled(name);
    const content = Buffer.from(name === 'index.html' ? this.#html(read.toString('utf8')) : read);
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    const file = { content, hash };
    this.#files.set(name, file);
    return file;
  }

  #html(html: string): string {
    const versioned = html.replace(/page\/(page\.(?:js|css))/g, (path, name: PageFileName) => {
      return `${path}?v=${this.#file(name).hash}`;
    });
    return this.#serviceUrl === undefined ? versioned : withService(versioned, this.#serviceUrl);
  }
}

/**
 * The parts of the web page for a report: its code, and the script that runs its queries on the records in the report.
 */
export interface ReportPageFiles {
  /** In the order in which they run. */
  readonly scripts: readonly string[];
  readonly styles: string;
  readonly icon: string;
}

/** @throws Error if the page was not installed with the package */
export function readReportPageFiles(): ReportPageFiles {
  const text = (name: string): string => readPageFile(name).toString('utf8');
  return {
    scripts: ['server.js', 'charts.js', 'checks.js', 'page.js'].map(text),
    styles: text('page.css'),
    icon: text('icon.svg'),
  };
}

/** A file in the folder of the page. @throws Error if the page was not installed with the package */
export function readPageFile(name: string): Buffer {
  return isCompressed(name) ? gunzipSync(readInstalled(name)) : readInstalled(name);
}

/** The file as it is in the package. */
function readInstalled(name: string): Buffer {
  return readFileSync(new URL(isCompressed(name) ? `${name}.gz` : name, PAGE_FOLDER));
}

function withService(html: string, serviceUrl: string): string {
  const escaped = serviceUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return html.replace('<title>', () => `<meta name="logclient-service" content="${escaped}">\n    <title>`);
}
