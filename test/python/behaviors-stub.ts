import {
  type HttpService,
  type ReceivedRequest,
  sendJson,
  sendText,
  startService,
} from '../helpers/http-service.ts';
import { makeEvents, pollAnswer } from '../helpers/query-answers.ts';

export const USER = 'ann@example.com';
export const FILE_TEXT = 'host,owner\nweb-7,ann\nweb-8,bob\n';

/** Two events of the last minute. */
export const EVENTS = () =>
  [1, 2].map((n) => ({ timestamp: Date.now() - n * 1_000, attributes: { level: 'error', n } }));

type Stub = (body: { readonly variables: Record<string, unknown> }) => object;

const ROWS = [
  ['web-7', 'ann'],
  ['web-8', 'bob'],
];

/** An edit of a file with {@link ROWS}. */
const updated: Stub = ({ variables: { headers, changedRows, offset, limit, name } }) => {
  const lines = ROWS.toSpliced(offset as number, limit as number, ...(changedRows as string[][]));
  return { nameAndPath: { name, path: null }, headers, lines, totalLinesCount: lines.length, limit, offset };
};

const content: Stub = ({ variables: { offset, limit, filterString = '' } }) => {
  const from = offset as number;
  const lines = ROWS.slice(from, from + (limit as number)).filter((row) =>
    row.join().includes(String(filterString)),
  );
  return { headers: ['host', 'owner'], lines, totalLinesCount: ROWS.length, limit, offset };
};

const saved = (name: unknown) => ({
  savedQuery: { id: 'q1', name, displayName: name, query: { queryString: 'level=error' } },
});

/** The response for each field of a GraphQL request. */
const GRAPHQL: Readonly<Record<string, Stub>> = {
  searchDomain: () => ({
    files: [{ nameAndPath: { name: 'hosts.csv', path: null } }],
    savedQueries: [saved('errors').savedQuery],
  }),
  searchOrganizations: () => ({
    totalResults: 1,
    results: [{ organizationId: 'o1', organizationName: 'acme' }],
  }),
  createEmptyOrganization: ({ variables }) => ({ id: 'o1', ...variables }),
  newFile: ({ variables: { name } }) => ({ nameAndPath: { name, path: null } }),
  getFileContent: content,
  updateFile: updated,
  removeFile: () => ({ result: true }),
  createSavedQuery: ({ variables }) => saved((variables.input as { name: string }).name),
  updateSavedQuery: ({ variables }) => saved((variables.input as { name: string }).name),
  deleteSavedQuery: () => ({ result: true }),
};

const ROWS_OF_QUERY = makeEvents(2).map((event) => ({ ...event, level: 'error' }));

/** A service with fixed responses for the calls of the Python client. */
export function startStub(): Promise<HttpService> {
  const deleted = new Set<string>();
  let lastQuery = '';
  return startService((request, response) => {
    const { method, path } = request;
    const [, , , area = '', , kind = area, id = ''] = path.split('/');
    if (path === '/graphql') return sendJson(response, graphqlAnswer(request));
    if (area === 'status') return sendJson(response, { status: 'OK', version: '1.189.0' });
    if (area === 'users' && path.endsWith('/unknown')) return sendText(response, 404, 'no such user');
    if (area === 'users') return sendJson(response, usersAnswer(request));
    if (area === 'ingest' || kind.startsWith('ingest')) return sendJson(response, {});
    if (kind === 'files') return sendText(response, 200, method === 'GET' ? FILE_TEXT : '');
    if (kind === 'query') {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(ROWS_OF_QUERY.map((row) => `${JSON.stringify(row)}\n`).join(''));
      // A live query stays open, and silent.
      return request.json().isLive === true ? undefined : response.end();
    }
    if (kind !== 'queryjobs') return sendText(response, 404, 'The requested resource could not be found.');
    if (method === 'POST') {
      lastQuery = request.json<{ queryString: string }>().queryString;
      return lastQuery.startsWith('timechart')
        ? sendText(response, 400, 'parameter func is not supported in function timeChart')
        : sendJson(response, { id: '7-job' });
    }
    if (id === 'unknown' || deleted.has(id)) return sendText(response, 404, '');
    if (method === 'DELETE') {
      deleted.add(id);
      return response.writeHead(204).end();
    }
    const isAggregate = lastQuery === 'count()';
    return sendJson(
      response,
      pollAnswer({ events: isAggregate ? [{ _count: '2' }] : ROWS_OF_QUERY, isAggregate }),
    );
  });
}

function graphqlAnswer(request: ReceivedRequest): object {
  const body = request.json<{ query: string; variables: Record<string, unknown> }>();
  const field = Object.keys(GRAPHQL).find((name) => new RegExp(`\\b${name}\\b`).test(body.query));
  if (field === undefined) return { data: null, errors: [{ message: 'The user was not found.' }] };
  return { data: { [field]: GRAPHQL[field]!(body) } };
}

function usersAnswer({ method, json }: ReceivedRequest): object {
  const known = [USER, 'carl@example.com'].map((email) => ({ email, userID: 'u1', isRoot: false }));
  if (method === 'GET') return known;
  return method === 'POST' ? { userID: 'u1', ...json() } : known[0]!;
}
