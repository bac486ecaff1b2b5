// Measures one run of a logger, with a service that receives the records and a program that logs them.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggers } from './loggers/index.mjs';
import { withPrograms } from './program.mjs';

const TOKEN = 'token-of-the-bench';
/** How long to wait without a request: some loggers still send at their intervals after they are closed. */
const QUIET_MS = 6_000;
const QUIET_WITHIN_MS = 20_000;
const POLL_MS = 100;

/**
 * @typedef {object} Work
 * @property {number} records
 * @property {number} [bytes] size of a record; by default, a web request of about 290 bytes
 * @property {number} [perSecond] rate; by default, as fast as possible
 */

/**
 * @param {string} name of the logger
 * @param {Work} work
 * @param {object} [options] of the logger
 * @param {readonly string[]} [execArgv] Node options for the program
 */
export function measureLogging(name, work, options = {}, execArgv = []) {
  const { module, create, protocol, options: own, hasSecrets } = loggers[name];
  return withPrograms([['sink'], ['logging', execArgv]], async (sink, program) => {
    const url = await sink.ask('open', { protocolName: protocol ?? 'plain' });
    await program.ask('start', {
      module,
      create,
      settings: { url, token: TOKEN, options: { ...own, ...options } },
      work,
    });
    const logged = await program.ask('log', { ...work, hasSecrets });
    const counted = protocol === undefined ? undefined : await arrived(sink, work.records);
    const used = await program.ask('end');
    return summary(work, logged, used, counted);
  });
}

/** Counts received records until all have arrived or no more arrive. */
async function arrived(sink, records) {
  const closedAt = Date.now();
  const deadline = closedAt + QUIET_WITHIN_MS;
  let counted = await sink.ask('count');
  while (counted.records < records && Date.now() < deadline) {
    if (Date.now() - closedAt > QUIET_MS && (await sink.ask('quietMs')) > QUIET_MS) break;
    await sleep(POLL_MS);
    counted = await sink.ask('count');
  }
  return counted;
}

function summary({ records }, { startedAt, endedAt, p99Us, isClosed }, used, counted) {
  const delivered = counted?.records ?? used.delivered;
  const seconds = ((counted?.lastAt ?? endedAt) - startedAt) / 1_000;
  return {
    delivered,
    perSecond: delivered === 0 ? 0 : delivered / seconds,
    cpuUs: used.cpuUs / records,
    mainUs: used.mainUs === undefined ? undefined : used.mainUs / records,
    p99Us,
    loopDelayMs: used.loopDelayMs,
    peakRss: used.peakRss,
    wireBytes: delivered === 0 ? undefined : counted && counted.wireBytes / delivered,
    trouble: used.crash ?? (isClosed ? undefined : 'does not close'),
  };
}
