// Serves a page that logs from the browser, and receives its records. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN;
// reads PORT.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createIngestHandler, toNodeHandler } from 'logclient/ingest-handler';

const handler = createIngestHandler({ tags: { service: 'shop' } });
const receiveLogs = toNodeHandler(handler);

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const FILES = {
  '/': { type: HTML, url: new URL('index.html', import.meta.url) },
  '/shop.js': { type: SCRIPT, url: new URL('shop.js', import.meta.url) },
  // With a bundler, this line and the import map in index.html are not needed.
  '/logclient-browser.js': { type: SCRIPT, url: new URL(import.meta.resolve('logclient/browser')) },
};

const server = createServer(async (request, response) => {
  if (request.url === '/logs') return receiveLogs(request, response);
  const file = FILES[request.url];
  if (file === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': file.type }).end(await readFile(file.url));
});

server.listen(Number(process.env.PORT ?? 3001), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await handler.ingester.close();
  console.log(JSON.stringify(handler.stats));
});
