// The local server of the package.
import { startLocalServer } from 'logclient/local-server';
import { storedBody } from '../record.mjs';
import { answer } from './answers.mjs';
import { LongestTurn, Usage } from './usage.mjs';

const EVENTS_PER_BATCH = 5_000;
/** Nothing may be thrown away while events are counted. */
const NO_LIMIT = 2 ** 40;
const MEMORY_INTERVAL_MS = 100;

let server;
let usage;
let memoryWatch;
let longestTurn;

const unlimited = (events) => ({ maxEvents: events, maxBytes: NO_LIMIT, maxRequestBytes: 2 ** 30 });

/** What is in use after a collection; the program is started with --expose-gc for this. */
function memoryInUse() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

answer({
  /** With as many events as it may store, or with the limits that users have. */
  async open({ events, ...options }) {
    server = await startLocalServer(events === undefined ? options : unlimited(events));
    usage = new Usage();
    const { url, repository, userToken, ingestToken } = server;
    return { url, repository, userToken, ingestToken };
  },
  /** Stores events without a socket. */
  async fill({ events, endsAt }) {
    const before = memoryInUse();
    for (let from = 0; from < events; from += EVENTS_PER_BATCH) {
      const { status } = await server.fetch(`${server.url}/api/v1/ingest/humio-structured`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.ingestToken}`, 'content-type': 'application/json' },
        body: storedBody(from, Math.min(events, from + EVENTS_PER_BATCH), events, endsAt),
      });
      if (status !== 200) throw new Error(`The local server answered ${status}.`);
    }
    const stored = server.inspect.store();
    return { stored: stored.events, textBytes: stored.bytes, memory: memoryInUse() - before };
  },
  /** Notes how much memory is in use without garbage, as often as requests let it. */
  watchMemory() {
    const before = memoryInUse();
    const watch = { growth: 0, timer: setInterval(() => note(), MEMORY_INTERVAL_MS) };
    const note = () => {
      watch.growth = Math.max(watch.growth, memoryInUse() - before);
    };
    memoryWatch = watch;
  },
  peakMemory() {
    clearInterval(memoryWatch.timer);
    return memoryWatch.growth;
  },
  cpuMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  watchLoop() {
    longestTurn = new LongestTurn();
  },
  longestTurn: () => longestTurn.stop(),
  end: () => ({ stored: server.inspect.store().events, ...usage.read() }),
});
