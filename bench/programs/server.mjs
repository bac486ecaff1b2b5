// The program that runs the package's local server.
import { startLocalServer } from 'logclient/local-server';
import { storedBody } from '../record.mjs';
import { answer } from './answers.mjs';
import { LongestTurn, Usage } from './usage.mjs';

const EVENTS_PER_BATCH = 5_000;
/** High enough that no stored events are dropped while they are counted. */
const NO_LIMIT = 2 ** 40;
const MEMORY_INTERVAL_MS = 100;

let server;
let usage;
let memoryWatch;
let longestTurn;

const unlimited = (events) => ({ maxEvents: events, maxBytes: NO_LIMIT, maxRequestBytes: 2 ** 30 });

/** Memory in use after a garbage collection, which requires --expose-gc. */
function memoryInUse() {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

answer({
  /** With `events`, the server stores up to that many; otherwise the usual limits apply. */
  async open({ events, ...options }) {
    server = await startLocalServer(events === undefined ? options : unlimited(events));
    usage = new Usage();
    const { url, repository, userToken, ingestToken } = server;
    return { url, repository, userToken, ingestToken };
  },
  /** Stores events through `server.fetch`, without a socket. */
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
  /** Tracks the peak growth of memory in use, without garbage, whenever the event loop is free. */
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
