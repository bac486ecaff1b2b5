// The service that receives the logs. During a run it only stores bodies. It counts their records after the run, or
// immediately if the response depends on the count or memory would run out.
import { createServer } from 'node:http';
import { bodyText, protocols } from '../compare/protocols.mjs';
import { MARK } from '../record.mjs';
import { answer, epochNow } from './answers.mjs';

const KEPT_BYTES = 512 * 1024 * 1024;

let protocol;
let countsAtOnce = false;
let kept = [];
let keptBytes = 0;
const seen = { records: 0, requests: 0, wireBytes: 0, lastAt: 0, underWay: 0 };

function countMarks(text) {
  let count = 0;
  for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, at + MARK.length)) count++;
  return count;
}

function countKept() {
  for (const { body, headers } of kept) seen.records += countMarks(bodyText(body, headers));
  kept = [];
  keptBytes = 0;
}

function take(body, headers) {
  seen.requests++;
  seen.wireBytes += body.length;
  seen.lastAt = epochNow();
  if (countsAtOnce) {
    const records = countMarks(bodyText(body, headers));
    seen.records += records;
    return records;
  }
  kept.push({ body, headers });
  keptBytes += body.length;
  if (keptBytes > KEPT_BYTES) countKept();
  return 0;
}

async function serve(request, response) {
  seen.underWay++;
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url.split('?', 1)[0];
    if (protocol.isIngest(request.method, path)) {
      const records = take(Buffer.concat(chunks), request.headers);
      const { body, headers } = protocol.accepted(records);
      response.writeHead(protocol.status, headers).end(body);
    } else {
      const none = { status: 404, body: '', headers: {} };
      const { status, body, headers } = protocol.other?.(request.method, path) ?? none;
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    }
  } catch {
    // The other side has given up.
  } finally {
    seen.underWay--;
  }
}

answer({
  async open({ protocolName }) {
    protocol = protocols[protocolName];
    // The response contains an item for each record.
    countsAtOnce = protocolName === 'elasticsearch';
    const server = createServer((request, response) => void serve(request, response));
    server.keepAliveTimeout = 60_000;
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${server.address().port}`;
  },
  /** Milliseconds since the last body arrived; 0 while a request is in progress. */
  quietMs: () => (seen.underWay > 0 ? 0 : epochNow() - seen.lastAt),
  count() {
    countKept();
    return seen;
  },
});
