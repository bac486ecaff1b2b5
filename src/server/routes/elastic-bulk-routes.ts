import type { Context, Hono } from 'hono';
import { HttpError } from '../http/http-error.ts';
import { textOf } from '../http/request-body.ts';
import { type BulkItem, bulkEvents } from '../ingest/bulk-events.ts';
import { recordRejection } from '../rejections/record-rejections.ts';
import type { ServerContext } from '../server-context.ts';
import { checkCount, requestIngest, rowsOf } from './ingest-routes.ts';

const PATH = '/api/v1/ingest/elastic-bulk';
/** Recent enough for current shippers, which compare it with their own version. */
const VERSION = '8.19.0';

const LICENSE = { uid: 'logclient', type: 'basic', mode: 'basic', status: 'active' };
const SHARDS = { total: 1, successful: 1, failed: 0 };
const GREETING = {
  name: 'logclient',
  cluster_name: 'logclient',
  cluster_uuid: 'logclient',
  version: {
    number: VERSION,
    build_flavor: 'default',
    build_type: 'zip',
    lucene_version: '9.12.2',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
};

/** What shippers look for before they send, and create where it is missing. Here it always exists. */
const SET_UP = [
  `${PATH}/:kind{_alias|_component_template|_data_stream|_index_template|_template}/:name?`,
  `${PATH}/_ilm/policy/:name?`,
  `${PATH}/_ingest/pipeline/:name?`,
];

/** The responses to what shippers ask before they send. Nothing is stored, but they need a token. */
const HANDSHAKES: readonly (readonly [methods: string[], paths: string[], response: object])[] = [
  [['GET'], [PATH, `${PATH}/`], GREETING],
  [['GET'], [`${PATH}/_license`], { license: LICENSE }],
  [['GET'], [`${PATH}/_xpack`], { build: {}, license: LICENSE, features: {} }],
  [['GET'], [`${PATH}/_cluster/health`], { cluster_name: 'logclient', status: 'green' }],
  // Documents can be queried as soon as they are accepted.
  [['GET', 'POST'], [`${PATH}/_refresh`, `${PATH}/:index/_refresh`], { _shards: SHARDS }],
  [['GET'], SET_UP, {}],
  [['PUT'], SET_UP, { acknowledged: true }],
];

export function elasticBulkRoutes(app: Hono, context: ServerContext): void {
  const { authentication, clock } = context;
  const ingest = requestIngest(context);
  app.use(`${PATH}/*`, async (c, next) => {
    await next();
    // Clients since 7.14 require this header.
    c.res.headers.set('x-elastic-product', 'Elasticsearch');
  });
  app.use(`${PATH}/*`, (c, next) => {
    authentication.principal(c.req.raw);
    return next();
  });

  const bulk = async (c: Context): Promise<Response> => {
    const items: BulkItem[] = [];
    const index = c.req.param('index');
    const start = performance.now();
    await ingest(c, (body, target) =>
      rowsOf(bulkEvents(textOf(body), target, { index, onItem: (item) => checkCount(items.push(item)) })),
    );
    recordRejectedItems(context, c, items);
    return c.json({
      took: Math.round(performance.now() - start),
      errors: items.some(({ problem }) => problem !== undefined),
      items: items.map(bulkAnswer),
    });
  };
  app.on(['POST', 'PUT'], [PATH, `${PATH}/_bulk`, `${PATH}/:index/_bulk`], bulk);

  for (const [methods, paths, response] of HANDSHAKES) {
    app.on(methods, paths, (c) => c.json(response));
  }
  // rsyslog checks this.
  app.get(`${PATH}/_cat/health`, (c) => c.text(catHealth(clock.now())));
  app.all(`${PATH}/*`, (c) => {
    const message = `The local server supports only the bulk API of Elasticsearch, for log shippers. There is no ${c.req.method} ${c.req.path}.`;
    throw new HttpError(404, message);
  });
}

const ITEM_FIX = 'Correct the documents. The valid ones of the request were stored.';

/** One line of columns: time, name and status, nodes, shards, pending tasks and the share of active shards. */
function catHealth(now: number): string {
  const time = new Date(now).toISOString().slice(11, 19);
  return `${Math.floor(now / 1000)} ${time} logclient green 1 1 1 1 0 0 0 0 - 100.0%\n`;
}

function recordRejectedItems(context: ServerContext, c: Context, items: readonly BulkItem[]): void {
  const rejected = new Map<string, { count: number; readonly excerpt: string | undefined }>();
  for (const { problem, document } of items) {
    if (problem === undefined) continue;
    const known = rejected.get(problem) ?? { count: 0, excerpt: document };
    rejected.set(problem, known);
    known.count++;
  }
  for (const [problem, { count, excerpt }] of rejected) {
    const reason = problem.charAt(0).toUpperCase() + problem.slice(1);
    recordRejection(context, c, { status: 400, reason, fix: ITEM_FIX, excerpt }, count);
  }
}

function bulkAnswer({ action, index = '', id = '', problem }: BulkItem): object {
  const result =
    problem === undefined
      ? { _version: 1, result: 'created', _shards: SHARDS, status: 201 }
      : { status: 400, error: { type: 'document_parsing_exception', reason: problem } };
  return { [action]: { _index: index, _id: id, ...result } };
}
