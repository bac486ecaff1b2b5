// A program that runs many queries at once, or ingests continuously.
import { answer } from './answers.mjs';

const EVENTS_PER_BODY = 5_000;
const POLL_MS = 200;
const INGEST_MS = 50;

function call(url, token, method, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a query as a job that is never deleted. @returns why it failed */
async function job({ url, userToken }, queryString) {
  const jobs = `${url}/api/v1/repositories/sandbox/queryjobs`;
  const { id } = await (await call(jobs, userToken, 'POST', { queryString, start: '1d' })).json();
  for (;;) {
    const { done, cancelled, metaData } = await (
      await call(`${jobs}/${id}?paginationLimit=1`, userToken, 'GET')
    ).json();
    if (cancelled) return metaData.warnings[0] ?? 'canceled';
    if (done) return undefined;
    await wait(POLL_MS);
  }
}

async function stream({ url, userToken }, queryString) {
  const response = await call(`${url}/api/v1/repositories/sandbox/query`, userToken, 'POST', {
    queryString,
    start: '1d',
  });
  let text = '';
  for await (const bytes of response.body) if (!response.ok) text += Buffer.from(bytes).toString();
  return response.ok ? undefined : text;
}

function send({ url, ingestToken }, events) {
  return call(`${url}/api/v1/ingest/humio-structured`, ingestToken, 'POST', [{ events }]);
}

let isStopped = false;
let ingesting;

async function ingest(address) {
  let longestMs = 0;
  while (!isStopped) {
    const start = performance.now();
    await (await send(address, [{ timestamp: Date.now(), attributes: { n: -1 } }])).text();
    longestMs = Math.max(longestMs, performance.now() - start);
    await wait(INGEST_MS);
  }
  return longestMs;
}

answer({
  async fill({ events, ...address }) {
    const end = Date.now();
    for (let from = 0; from < events; from += EVENTS_PER_BODY) {
      const batch = Array.from({ length: Math.min(EVENTS_PER_BODY, events - from) }, (_, place) => {
        const n = from + place;
        const text = `order ${n} of customer ${n % 5000} was shipped to warehouse ${n % 97} after ${n % 13} days`;
        return { timestamp: end - events + n, attributes: { n, user: `user-${n % 5000}`, text } };
      });
      await (await send(address, batch)).text();
    }
  },
  /** Runs all queries at once. @returns why some of them failed */
  async run({ kind, queries, ...address }) {
    const run = kind === 'job' ? job : stream;
    const problems = await Promise.all(queries.map((query) => run(address, query).catch(String)));
    return problems.filter((problem) => problem !== undefined);
  },
  ingest(address) {
    ingesting = ingest(address);
  },
  /** @returns the longest time that a request took, in milliseconds */
  stop() {
    isStopped = true;
    return ingesting;
  },
});
