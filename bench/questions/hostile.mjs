// Do hostile queries and bodies block the local server for other clients?
import { hostileBodies, hostileQueries, storedBodies } from '../hostile-list.mjs';
import { withPrograms } from '../program.mjs';
import { firstLine, fixed, markdown } from '../table.mjs';

/** How long a request may block the event loop. */
const MAX_BLOCK_MS = 250;
/** Long enough for steps to become expensive, short enough to finish the run in minutes. */
const QUERY_TIMEOUT_MS = 4_000;
const TINY_CASES = 3;

export const hostile = {
  name: 'hostile',
  title: 'the longest time that a hostile request blocks the local server',
  async run(settings) {
    const all = [
      ...Object.entries(hostileQueries).map(queryCase),
      ...Object.entries(hostileBodies).map(bodyCase),
    ];
    const named = settings.only === undefined ? all : all.filter(({ name }) => name.includes(settings.only));
    const cases = named.slice(0, settings.amount({ full: all.length, short: all.length, tiny: TINY_CASES }));
    const rows = [];
    for (const each of cases) rows.push(await leastBlocked(each, settings));
    return table(rows);
  },
};

function queryCase([name, queryString]) {
  const path = '/api/v1/repositories/sandbox/query';
  const body = () => JSON.stringify({ queryString, start: '1h' });
  return { name, path, type: 'application/json', asUser: true, body };
}

const bodyCase = ([name, request]) => ({ name, ...request });

/** Returns the round that blocked the least, because a single round may include compilation or garbage collection. */
async function leastBlocked(hostileCase, { rounds, execArgv }) {
  let least;
  for (let round = 0; round < rounds; round++) {
    const result = await measure(hostileCase, execArgv);
    if (least === undefined || result.blockedMs < least.blockedMs) least = result;
    if (least.blockedMs <= MAX_BLOCK_MS) break;
  }
  return { ...least, name: hostileCase.name };
}

/** Sends the request to a separate server while another client continuously requests its status. */
function measure({ path, type, encoding, asUser, body }, execArgv) {
  return withPrograms([['server', execArgv], ['pinging']], async (server, pinging) => {
    const { url, userToken, ingestToken } = await server.ask('open', { queryTimeoutMs: QUERY_TIMEOUT_MS });
    const send = (to, content, headers, token) =>
      fetch(`${url}${to}`, {
        method: 'POST',
        body: content,
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
    for (const stored of storedBodies(Date.now())) {
      await send(
        '/api/v1/ingest/humio-structured',
        stored,
        { 'content-type': 'application/json' },
        ingestToken,
      );
    }
    const headers = {
      ...(type && { 'content-type': type }),
      ...(encoding && { 'content-encoding': encoding }),
    };
    const content = body();
    await server.ask('watchLoop');
    await pinging.ask('start', { url });
    const start = performance.now();
    const token = asUser ? userToken : ingestToken;
    // The server closes the connection if it cancels a query while sending rows.
    const outcome = await send(path, content, headers, token)
      .then(outcomeOf)
      .catch((error) => firstLine(String(error.cause ?? error)));
    const ms = performance.now() - start;
    const { pings, longestMs } = await pinging.ask('stop');
    return { outcome, ms, pings, pingMs: longestMs, blockedMs: await server.ask('longestTurn') };
  });
}

async function outcomeOf(response) {
  let length = 0;
  let end = '';
  for await (const bytes of response.body ?? []) {
    length += bytes.length;
    end = Buffer.from(bytes.subarray(-400)).toString();
  }
  const why = /The query was canceled.*/.exec(end)?.[0] ?? (response.ok ? `${length} bytes` : end);
  return firstLine(`${response.status} ${why}`);
}

function table(rows) {
  const header = ['request', 'blocked, CPU ms', 'longest ping, ms', 'pings', 'request, ms', 'outcome'];
  const cells = rows.map(({ name, blockedMs, pingMs, pings, ms, outcome }) => [
    name,
    `${fixed(blockedMs, 0)}${blockedMs > MAX_BLOCK_MS ? ' **too long**' : ''}`,
    fixed(pingMs, 0),
    pings,
    fixed(ms, 0),
    outcome,
  ]);
  const blocking = rows.filter(({ blockedMs }) => blockedMs > MAX_BLOCK_MS);
  return `${rows.length} requests, ${blocking.length} of them block for more than ${MAX_BLOCK_MS} ms.\n\n${markdown(header, cells)}`;
}
