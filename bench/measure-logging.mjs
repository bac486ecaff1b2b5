// One run of a logger: a service, a program that logs, and what both have seen.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggers } from './loggers/index.mjs';
import { withPrograms } from './program.mjs';

const TOKEN = 'token-of-the-bench';
/** Some loggers still send after they are closed, at their intervals. */
const QUIET_MS = 6_000;
const QUIET_WITHIN_MS = 20_000;
const POLL_MS = 100;

/**
 * @typedef {object} Work
 * @property {number} records
 * @property {number} [bytes] of a record; a web request of about 290 bytes unless given
 * @property {number} [perSecond] as fast as possible unless given
 */

/**
 * @param {string} name of the logger
 * @param {Work} work
 * @param {object} [options] of the logger
 * @param {readonly string[]} [execArgv] of the program
 */
export function measureLogging(name, work, options = {}, execArgv = []) {
  const { module, create, protocol, options: own } = loggers[name];
  return withPrograms([['sink'], ['logging', execArgv]], async (sink, program) => {
    const url = await sink.ask('open', { protocolName: protocol ?? 'plain' });
    await program.ask('start', {
      module,
      create,
      settings: { url, token: TOKEN, options: { ...own, ...options } },
      work,
    });
    const logged = await program.ask('log', work);
    const counted = protocol === undefined ? undefined : await arrived(sink, work.records);
    const used = await program.ask('end');
    return summary(work, logged, used, counted);
  });
}

/** What has arrived when all is there, or nothing more comes. */
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
