// The program that reads a query result in one of three ways.
import { LogClient } from 'logclient';
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

const ways = {
  async streamingQuery(url) {
    const client = new LogClient({ baseUrl: url, repository: 'bench', userToken: 'token-of-the-bench' });
    let events = 0;
    for await (const event of client.streamingQuery('*')) {
      if (event['@id'] !== undefined) events++;
    }
    return events;
  },
  downloadAndParse: async (url) => parseLines(await download(url)),
  parseAlone: (_, text) => parseLines(text),
};

answer({
  async read({ way, url }) {
    const text = way === 'parseAlone' ? await download(url) : undefined;
    const usage = new Usage();
    const start = performance.now();
    const events = await ways[way](url, text);
    const seconds = (performance.now() - start) / 1_000;
    const { cpuUs, peakRss } = usage.read();
    return { events, perSecond: events / seconds, cpuUs: cpuUs / events, peakRss };
  },
});
