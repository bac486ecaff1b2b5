import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PAGE_FOLDER } from './page-files.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files that the page of the playground loads. */
const LOADED = [
  'page/play.js',
  'page/page.js',
  'page/charts.js',
  'page/server.js',
  'page/page.css',
  'page/play.css',
  'page/icon.svg',
];

/** A file of the playground. */
export interface PlayFile {
  readonly type: string;
  readonly content: Uint8Array;
}

/**
 * The static files of the playground, by their path in its folder.
 *
 * @throws Error if they were not installed with the package
 */
export function readPlayFiles(): ReadonlyMap<string, PlayFile> {
  const contents = new Map(LOADED.map((path) => [path, read(path.slice('page/'.length))]));
  contents.set('index.html', read('play.html'));
  const hash = createHash('sha256');
  for (const content of contents.values()) hash.update(content);
  const version = hash.digest('hex').slice(0, 16);
  const worker = read('service-worker.js').toString().replace('VERSION', version);
  contents.set('service-worker.js', Buffer.from(worker));
  return new Map(
    [...contents].map(([path, content]) => [path, { type: TYPES[path.split('.').at(-1)!]!, content }]),
  );
}

function read(name: string): Buffer {
  const isCompressed = /\.(?:js|css)$/.test(name);
  const content = readFileSync(new URL(isCompressed ? `${name}.gz` : name, PAGE_FOLDER));
  return isCompressed ? gunzipSync(content) : content;
}
