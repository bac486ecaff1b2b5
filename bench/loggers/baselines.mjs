// Baselines for the transports: the fastest way to post, and loggers that deliver nothing.
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { Agent } from 'undici';
import winston from 'winston';
import { fromPinoStream, fromWinston } from '../compare/loggers/adapters.mjs';
import { loggedRecord } from '../record.mjs';

const RECORDS_PER_BATCH = 5_000;
const CONNECTIONS = 2;

/** Posts batches that are already serialized and compressed, with undici; no transport can be faster. */
export function preparedBatches({ url }) {
  const agent = new Agent({ connections: CONNECTIONS });
  const bodies = new Map();
  return {
    prepare({ records }) {
      for (const count of [RECORDS_PER_BATCH, records % RECORDS_PER_BATCH]) bodies.set(count, batchOf(count));
    },
    async run({ records }) {
      let left = records;
      const post = async () => {
        while (left > 0) {
          const count = Math.min(left, RECORDS_PER_BATCH);
          left -= count;
          await postBatch(agent, url, bodies.get(count));
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, post));
    },
    close: () => agent.close(),
  };
}

function batchOf(count) {
  const events = Array.from({ length: count }, (_, n) => {
    const { message, fields } = loggedRecord(n);
    return { timestamp: Date.now(), attributes: { level: 'info', msg: message, ...fields } };
  });
  return gzipSync(JSON.stringify([{ events }]));
}

async function postBatch(agent, origin, body) {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const path = '/api/v1/ingest/humio-structured';
  const answer = await agent.request({ origin, path, method: 'POST', headers, body });
  await answer.body.dump();
}

/** pino with serialization only. */
export function pinoAlone() {
  let lines = 0;
  const stream = {
    write() {
      lines++;
    },
  };
  const logger = pino({}, stream);
  return {
    log: ({ message, fields }) => logger.info(fields, message),
    close: async () => {},
    delivered: () => lines,
  };
}

/** pino's own file transport, which writes from a worker. */
export function pinoFile() {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-bench-'));
  const destination = join(folder, 'records.ndjson');
  const stream = pino.transport({ target: 'pino/file', options: { destination } });
  return {
    ...fromPinoStream(pino, stream),
    async delivered() {
      const lines = await countLines(destination);
      rmSync(folder, { recursive: true });
      return lines;
    },
  };
}

async function countLines(file) {
  let lines = 0;
  for await (const chunk of createReadStream(file)) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  }
  return lines;
}

class NullTransport extends winston.Transport {
  records = 0;

  log(_info, done) {
    this.records++;
    done();
  }
}

/** winston with its default JSON format and a transport that discards all records. */
export function winstonNull() {
  const transport = new NullTransport();
  return { ...fromWinston(winston, transport), delivered: () => transport.records };
}
