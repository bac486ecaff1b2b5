// The program that reads the rows of a query in one way.
import { request as httpRequest } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LogClient, toReadable } from 'logclient';
import { request } from 'undici';
import { answer } from './answers.mjs';
import { Usage } from './usage.mjs';

/** Parses each line and reads a member of the object. */
function parseLines(text) {
  let events = 0;
  let from = 0;
  for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
    if (JSON.parse(text.slice(from, to))['@id'] !== undefined) events++;
    from = to + 1;
  }
  return events;
}

async function download(url) {
  const { body } = await request(url, { method: 'POST' });
  return body.text();
}

function clientOf(url) {
  return new LogClient({ baseUrl: url, repository: 'bench', userToken: 'token-of-the-bench' });
}

/** Reads a member of each row, up to the last one. */
async function count(rows, most) {
  let events = 0;
  for await (const event of rows) {
    if (event['@id'] !== undefined) events++;
    if (events === most) break;
  }
  return events;
}

/** What a program writes without this package. */
async function rawHttp(url) {
  const response = await new Promise((resolve, reject) => {
    httpRequest(url, { method: 'POST' }, resolve).on('error', reject).end();
  });
  let events = 0;
  let rest = '';
  for await (const text of response.setEncoding('utf8')) {
    const end = text.lastIndexOf('\n') + 1;
    events += parseLines(rest + text.slice(0, end));
    rest = end === 0 ? rest + text : text.slice(end);
  }
  return events;
}

async function linesOf(rows) {
  let events = 0;
  const write = (chunk, _encoding, done) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) events++;
    done();
  };
  await pipeline(toReadable(rows, { format: 'ndjson' }), new Writable({ write }));
  return events;
}

const ways = {
  rawHttp,
  query: async (url) => count(await clientOf(url).query('*')),
  streamingQuery: (url) => count(clientOf(url).streamingQuery('*')),
  toReadable: (url) => linesOf(clientOf(url).streamingQuery('*')),
  tail: (url, _, most) => count(clientOf(url).tail('*'), most),
  downloadAndParse: async (url) => parseLines(await download(url)),
  parseAlone: (_, text) => parseLines(text),
};

answer({
  async read({ way, url, events: most }) {
    const text = way === 'parseAlone' ? await download(url) : undefined;
    const usage = new Usage();
    const start = performance.now();
    const events = await ways[way](url, text, most);
    const seconds = (performance.now() - start) / 1_000;
    const { cpuUs, peakRss } = usage.read();
    return { events, perSecond: events / seconds, cpuUs: cpuUs / events, peakRss };
  },
});
