// Writes records with an example's logger or client: node write-records.mjs <name> <records>
import { once } from 'node:events';
import { createServer } from 'node:http';
import { argv } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const INTERVAL_MS = 2;

const withFieldsFirst = ({ log }, n) => log.info({ n }, `order-${n}`);
const withFieldsLast = ({ log }, n) => log.info(`order-${n}`, { n });
const withMessage = ({ log }, n) => log.info(`order-${n}`);

async function bulk({ ship }, records) {
  await ship(
    (async function* () {
      for (let n = 0; n < records; n++) {
        await setTimeout(INTERVAL_MS);
        yield { '@timestamp': new Date().toISOString(), message: `order-${n}` };
      }
    })(),
  );
}

/** Sends requests to a server that logs them. */
async function request({ accessLog }, records) {
  const server = createServer((request, response) => accessLog(request, response, () => response.end()));
  await once(server.listen(0), 'listening');
  for (let n = 0; n < records; n++) await fetch(`http://127.0.0.1:${server.address().port}/order-${n}`);
  server.closeAllConnections();
  server.close();
}

/**
 * How to use an example: `write` writes one record, `writeAll` writes all, `end` ends or flushes the logger.
 * `withoutOutage`: the server isn't killed.
 */
export const writers = {
  bole: { write: withFieldsFirst },
  bunyan: { write: withFieldsFirst },
  console: { write: withFieldsLast, packageName: 'node' },
  consola: { write: ({ log }, n) => log.info({ message: `order-${n}`, n }) },
  debug: { write: ({ log }, n) => log('order-%d', n) },
  'electron-log': { write: withFieldsLast },
  'lambda-log': { write: withFieldsLast },
  log4js: { write: withFieldsLast },
  loglevel: { write: withFieldsLast },
  logtape: { write: ({ log }, n) => log.info('order-{n}', { n }), packageName: '@logtape/logtape' },
  morgan: { writeAll: request },
  npmlog: { write: ({ log }, n) => log.info('shop', 'order-%d', n) },
  roarr: { write: withFieldsFirst },
  signale: { write: withMessage },
  tslog: { write: withFieldsFirst },
  elasticsearch: { writeAll: bulk, packageName: '@elastic/elasticsearch' },
  // This client retries without a delay, so its calls fail if the server is down.
  opensearch: { writeAll: bulk, packageName: '@opensearch-project/opensearch', withoutOutage: true },
  'pino-elasticsearch': { write: withFieldsFirst, end: ({ stream }) => stream.end() },
  'winston-elasticsearch': { write: withFieldsLast, end: ({ transport }) => transport.flush() },
  'splunk-logging': { write: ({ log }, n) => log.send({ message: { message: `order-${n}`, n } }) },
  'splunk-bunyan-logger': { write: withFieldsFirst },
  'winston-splunk-httplogger': { write: withFieldsLast },
};

async function writeEach(example, write, records) {
  for (let n = 0; n < records; n++) {
    write(example, n);
    await setTimeout(INTERVAL_MS);
  }
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
  const [, , name, records] = argv;
  const { write, writeAll = (example, count) => writeEach(example, write, count), end } = writers[name];
  const example = await import(`./${name}.mjs`);
  await writeAll(example, Number(records));
  await end?.(example);
}
