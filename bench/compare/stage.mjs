// Runs a scenario with a logger and returns the result.
import { ChildProcess, TOKEN } from './child-process.mjs';
import { loggers } from './loggers/index.mjs';
import { Oracle } from './oracle.mjs';

/** Default time to wait for deliveries, and the same again for the end of the program. */
const DELIVERY_TIMEOUT_MS = 25_000;
const END_TIMEOUT_MS = 30_000;

/**
 * @typedef {object} Run the result of a scenario with a logger.
 * @property {number} logged records that the program passed to its logger.
 * @property {number} delivered distinct records that the service accepted.
 * @property {number} lost
 * @property {number} duplicates
 * @property {number} inversions records that arrived after a later one.
 * @property {number} damaged records whose content changed; checked only for our own protocol.
 * @property {number} unacknowledged records in accepted requests whose sender may not have received the response.
 * @property {number} thrown log calls that threw.
 * @property {object[]} requests
 * @property {{code: number | null, signal: string | null}} exit
 * @property {boolean} killed whether it had to be killed.
 * @property {string} stderr
 * @property {number} peakRss bytes.
 * @property {number} idleRss bytes; 0 if not measured.
 * @property {number} endMs milliseconds from the last log call to the end of the process.
 * @property {{delivered: number, ms: number} | undefined} flushed
 * @property {object | undefined} stats the logger's own counters after its end.
 * @property {boolean} tokenShown
 */

/** @returns {Promise<Run>} */
export async function play(scenario, loggerName, { short = false } = {}) {
  const scene = short ? { ...scenario, ...scenario.short } : scenario;
  const { protocol, isOwn } = loggers[loggerName];
  const oracle = new Oracle({
    protocol,
    answer: scene.service?.(),
    recordBytes: scene.work.odd ? undefined : (scene.work.bytes ?? 230),
  });
  await oracle.open();
  try {
    return await (scene.play ?? playOnce)({ scene, loggerName, isOwn, oracle });
  } finally {
    await oracle.close();
  }
}

/** Runs one program from start to end. */
export async function playOnce({ scene, loggerName, isOwn, oracle }) {
  const isDown = scene.down?.fromMs === 0;
  const { url } = oracle;
  if (isDown) await oracle.close();
  const child = startChild({ scene, loggerName, isOwn, url });
  const timers = [];
  const started = await child.event('logging');
  oracle.start(started?.at);
  if (scene.down !== undefined) timers.push(...planOutage(oracle, scene.down));
  const logged = await child.event('logged');
  if (scene.signal !== undefined) child.kill(scene.signal);
  if (scene.ending === 'close on request') {
    await Promise.race([
      oracle.hasDelivered(
        scene.expected ?? logged?.records ?? 0,
        scene.deliveryTimeoutMs ?? DELIVERY_TIMEOUT_MS,
      ),
      child.ended,
    ]);
    child.requestClose();
  }
  const endedByItself = await child.endsWithin(scene.endTimeoutMs ?? END_TIMEOUT_MS);
  const endMs = Date.now() - (logged?.at ?? Date.now());
  for (const timer of timers) clearTimeout(timer);
  return runOf({ scene, loggerName, oracle, child, endMs, killed: !endedByItself });
}

export function startChild({ scene, loggerName, isOwn, url, ending = scene.ending, work = scene.work }) {
  return new ChildProcess(loggerName, {
    url,
    work,
    ending,
    idle: scene.idle ?? false,
    progress: scene.progress ?? false,
    options: isOwn ? (scene.options ?? {}) : {},
  });
}

export async function runOf({ scene, loggerName, oracle, child, endMs, killed }) {
  const { events, stdout, stderr, peakRss } = child;
  const logged = events.logged?.records ?? scene.work.records;
  return {
    scenario: scene.name,
    logger: loggerName,
    logged,
    delivered: oracle.delivered,
    lost: logged - oracle.delivered,
    duplicates: oracle.duplicates,
    inversions: oracle.inversions,
    damaged: oracle.damaged,
    unacknowledged: oracle.unacknowledged,
    thrown: events.logged?.thrown ?? 0,
    requests: oracle.requests,
    exit: await child.ended,
    killed,
    stderr,
    peakRss,
    idleRss: events.idle?.rss ?? 0,
    endMs,
    flushed: events.flushed && { delivered: oracle.deliveredBy(events.flushed.at), ms: events.flushed.ms },
    stats: events.closed?.stats,
    tokenShown: `${stdout}${stderr}`.includes(TOKEN),
  };
}

function planOutage(oracle, { fromMs, toMs }) {
  const timers = [setTimeout(() => void oracle.open(), toMs)];
  if (fromMs > 0) timers.push(setTimeout(() => void oracle.close(), fromMs));
  return timers;
}
