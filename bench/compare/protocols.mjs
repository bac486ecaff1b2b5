// Responses of the services that the loggers send to. Only the differences between them are here; the records in a body
// are
// found by their marks (record.mjs).
import { createRequire } from 'node:module';
import { gunzipSync, inflateSync } from 'node:zlib';

const requireFromPeers = createRequire(new URL('./peers/package.json', import.meta.url));

const json = (value, headers = {}) => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
});

/**
 * @typedef {object} Protocol
 * @property {(method: string, path: string) => boolean} isIngest requests that carry records; others get the response
 * of a
 * healthy service.
 * @property {number} status status of a response that accepts records.
 * @property {(records: number) => {body: string, headers: object}} accepted
 * @property {(method: string, path: string) => {status: number, body: string, headers: object}} [other]
 */

/** @type {Record<string, Protocol>} */
export const protocols = {
  logscale: {
    isIngest: (_, path) => ['/api/v1/ingest/humio-structured', '/api/v1/ingest/hec'].includes(path),
    status: 200,
    accepted: () => json({}),
  },
  loki: {
    isIngest: (_, path) => path === '/loki/api/v1/push',
    status: 204,
    accepted: () => ({ body: '', headers: {} }),
  },
  axiom: {
    isIngest: (_, path) => path.endsWith('/ingest'),
    status: 200,
    accepted: (records) =>
      json({ ingested: records, failed: 0, failures: [], processedBytes: 1, blocksCreated: 0, walLength: 1 }),
  },
  logtail: {
    isIngest: (method) => method === 'POST',
    status: 202,
    accepted: () => ({ body: '', headers: {} }),
  },
  otlp: {
    isIngest: (_, path) => path === '/v1/logs',
    status: 200,
    accepted: () => ({ body: '', headers: { 'content-type': 'application/x-protobuf' } }),
  },
  elasticsearch: {
    isIngest: (_, path) => path.startsWith('/_bulk'),
    status: 200,
    accepted: (records) =>
      json(
        {
          took: 1,
          errors: false,
          items: Array.from({ length: records }, () => ({ index: { _index: 'logs', status: 201 } })),
        },
        { 'x-elastic-product': 'Elasticsearch' },
      ),
    other: (_, path) => {
      const body = path.startsWith('/_cluster/health') ? { status: 'green', number_of_nodes: 1 } : {};
      return { status: 200, ...json(body, { 'x-elastic-product': 'Elasticsearch' }) };
    },
  },
  plain: {
    isIngest: (method) => method === 'POST',
    status: 200,
    accepted: () => json({}),
  },
};

/** The body as a string that contains the marks of the records. */
export function bodyText(body, { 'content-encoding': encoding, 'content-type': type = '' }) {
  if (encoding === 'gzip') return gunzipSync(body).toString();
  if (encoding === 'deflate') return inflateSync(body).toString();
  if (type === 'application/x-protobuf') return protobufText(body);
  return body.toString();
}

/** winston-loki compresses without a header, and OTLP bodies contain strings as they are. */
function protobufText(body) {
  try {
    return requireFromPeers('snappy').uncompressSync(body).toString('latin1');
  } catch {
    return body.toString('latin1');
  }
}
