import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { contentTypeOf } from '../../src/server/node/page-files.ts';
import { readPlayFiles } from '../../src/server/node/play-files.ts';

export interface PlayServer {
  /** Address of the playground, below a folder as on a site. */
  readonly url: string;
  readonly origin: string;
  /** Paths of the requests so far. */
  readonly requests: string[];
  /** Bytes of the page's responses so far, compressed, without those that are kept for offline use. */
  bytes(): number;
}

let compressed: ReadonlyMap<string, Buffer> | undefined;

/** Serves the files of the playground as a static site does. */
export async function startPlayServer(): Promise<PlayServer> {
  compressed ??= new Map([...readPlayFiles()].map(([path, content]) => [path, gzipSync(content)]));
  const files = compressed;
  const requests: string[] = [];
  let bytes = 0;
  const server = createServer(({ url = '', headers }, response) => {
    requests.push(url);
    const path = new URL(url, 'http://localhost').pathname.replace(/^\/site\/play\//, '') || 'index.html';
    const file = files.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    if (!isOfServiceWorker(headers)) bytes += file.length;
    response.writeHead(200, { 'content-type': contentTypeOf(path), 'content-encoding': 'gzip' }).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/site/play/`, origin, requests, bytes: () => bytes };
}

/** Whether a request is one that a service worker sends to keep a file. */
export function isOfServiceWorker(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-dest'] === 'empty';
}
