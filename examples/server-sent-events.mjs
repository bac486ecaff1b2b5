// Shows live log lines in a browser: http://localhost:8080/?service=shop. Each open page has its own tail, which stops
// when the page is closed. Needs LOGSCALE_URL, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY. PORT is optional.
//
// A WebSocket needs the same loop. With the package `ws`:
//   for await (const event of tail) await promisify(socket.send).call(socket, JSON.stringify(event));
import { once } from 'node:events';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { LogClient, lql } from 'logclient';

const client = new LogClient();

const PAGE = `<!doctype html><title>Logs</title><pre></pre><script>
  new EventSource('/events' + location.search).onmessage = ({ data }) => {
    const { level, msg, message } = JSON.parse(data);
    document.querySelector('pre').append(level + ' ' + (msg ?? message) + '\\n');
  };
</script>`;

/** When the browser reconnects, it sends the last id, and the tail resumes from there. */
async function* messages(events) {
  yield ': hello\n\n';
  for await (const event of events) yield `id: ${event['@timestamp']}\ndata: ${JSON.stringify(event)}\n\n`;
}

async function serveEvents(request, response, service) {
  const stop = new AbortController();
  response.once('close', () => stop.abort());
  const last = Number(request.headers['last-event-id']);
  const since = last > 0 ? last : '10 seconds';
  const query = service ? lql`#service = ${service}` : '*';
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await pipeline(messages(client.tail(query, { since, signal: stop.signal })), response);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html').end(PAGE);
  } else if (pathname === '/events') {
    serveEvents(request, response, searchParams.get('service')).catch((error) => {
      // A closed page is not an error.
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(error.message);
    });
  } else {
    response.writeHead(404).end();
  }
});

server.listen(process.env.PORT ?? 8080, 'localhost');
await once(server, 'listening');
console.log(`http://localhost:${server.address().port}/`);

process.once('SIGINT', () => {
  server.close();
  server.closeAllConnections();
});
