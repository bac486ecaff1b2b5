// Posts prepared batches as fast as the server accepts them.
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { storedBody } from '../record.mjs';
import { answer } from './answers.mjs';

const CONNECTIONS = 2;
/** Number of distinct batches, which are posted in rotation. */
const DIFFERENT_BATCHES = 20;

let bodies;

answer({
  prepare({ perBatch, isCompressed }) {
    const events = perBatch * DIFFERENT_BATCHES;
    bodies = Array.from({ length: DIFFERENT_BATCHES }, (_, index) => {
      const body = storedBody(index * perBatch, (index + 1) * perBatch, events, Date.now());
      return isCompressed ? gzipSync(body) : Buffer.from(body);
    });
  },
  async post({ url, token, batches, isCompressed }) {
    const agent = new Agent({ connections: CONNECTIONS });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    };
    const target = { origin: url, path: '/api/v1/ingest/humio-structured', method: 'POST', headers };
    let next = 0;
    const work = async () => {
      while (next < batches) {
        const { statusCode, body } = await agent.request({ ...target, body: bodies[next++ % bodies.length] });
        await body.dump();
        if (statusCode !== 200) throw new Error(`The local server answered ${statusCode}.`);
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    const seconds = (performance.now() - start) / 1_000;
    await agent.close();
    return seconds;
  },
});
