// A service that responds to every query immediately, with the same events.
import { createServer } from 'node:http';
import { storedAt, storedEvent } from '../record.mjs';
import { answer } from './answers.mjs';

const CHUNK_BYTES = 64 * 1024;

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

async function send(response, chunks) {
  for (const chunk of chunks) {
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

answer({
  async open({ events }) {
    const chunks = chunksOf(eventLines(events));
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      void send(response, chunks);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${server.address().port}`;
  },
});
