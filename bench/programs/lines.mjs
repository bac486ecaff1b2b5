// A service that responds to every query immediately, with the same events: as a stream, or the newest by a query job.
import { createServer } from 'node:http';
import { storedAt, storedEvent } from '../record.mjs';
import { answer } from './answers.mjs';

const CHUNK_BYTES = 64 * 1024;
const PAGE_EVENTS = 200;

function chunksOf(text) {
  const bytes = Buffer.from(text);
  const chunks = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

function eventLines(events) {
  const endsAt = Date.now();
  let text = '';
  for (let n = 0; n < events; n++) {
    const at = storedAt(n, events, endsAt);
    const fields = Object.entries(storedEvent(n)).map(([name, value]) => [name, String(value)]);
    const event = { '@timestamp': at, '@id': `event-${n}`, '#repo': 'bench', ...Object.fromEntries(fields) };
    text += `${JSON.stringify({ ...event, '@rawstring': event.message })}\n`;
  }
  return text;
}

async function send(response, chunks, isLive) {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (const chunk of chunks) {
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
  }
  if (!isLive) response.end();
}

/** The response to a poll: the newest events of more. */
function firstPage(text) {
  const lines = text.trimEnd().split('\n').slice(-PAGE_EVENTS);
  const events = lines.map((line) => JSON.parse(line)).reverse();
  return JSON.stringify({
    done: true,
    events,
    metaData: { isAggregate: false, pollAfter: 5, extraData: { hasMoreEvents: 'true' } },
  });
}

async function bodyOf(request) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}

answer({
  async open({ events }) {
    const text = eventLines(events);
    const chunks = chunksOf(text);
    const page = firstPage(text);
    const server = createServer(async (request, response) => {
      const body = await bodyOf(request);
      if (request.method === 'GET') response.end(page);
      else if (request.url.includes('/queryjobs')) response.end('{"id":"job"}');
      else await send(response, chunks, body.includes('"isLive":true'));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${server.address().port}`;
  },
});
