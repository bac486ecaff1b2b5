import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '../../core/accepts-gzip.ts';

/** Next to the bundle; for sources, in the build output. */
export const PAGE_FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/page/' : 'page/',
  import.meta.url,
);

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'charts.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type PageFileName = keyof typeof TYPES;

/** Whether the package contains only the compressed file. */
const isCompressed = (name: PageFileName): boolean => /\.(?:js|css)$/.test(name);

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
export const PAGE_ASSETS = [
  'page.js',
  'charts.js',
  'page.css',
  'icon.svg',
] as const satisfies readonly PageFileName[];

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
      'content-type': TYPES[name],
      'cache-control': version === hash ? 'max-age=31536000, immutable' : 'no-cache',
      etag,
      ...(isCompressed(name) ? { vary: 'accept-encoding' } : {}),
    };
    if (isKnown(etag, ifNoneMatch)) return { status: 304, headers, body: null };
    const body = isCompressed(name) && !isGzip ? gunzipSync(content) : content;
    const coding: Record<string, string> = isGzip ? { 'content-encoding': 'gzip' } : {};
    return { status: 200, headers: { ...headers, ...coding, 'content-length': String(body.length) }, body };
  }

  #file(name: PageFileName): { readonly content: Buffer<ArrayBuffer>; readonly hash: string } {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const read = readFileSync(new URL(isCompressed(name) ? `${name}.gz` : name, PAGE_FOLDER));
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

function isKnown(etag: string, ifNoneMatch = ''): boolean {
  const known = ifNoneMatch.split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
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
  const read = (name: string): Buffer => readFileSync(new URL(name, PAGE_FOLDER));
  const unzipped = (name: string): string => gunzipSync(read(`${name}.gz`)).toString('utf8');
  return {
    scripts: ['server.js', 'charts.js', 'page.js'].map(unzipped),
    styles: unzipped('page.css'),
    icon: read('icon.svg').toString('utf8'),
  };
}

function withService(html: string, serviceUrl: string): string {
  const escaped = serviceUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return html.replace('<title>', () => `<meta name="logclient-service" content="${escaped}">\n    <title>`);
}
