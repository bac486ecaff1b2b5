// The program that logs. SETTINGS contains the logger, the records, the rate and the ending. Events are reported
// synchronously through file descriptor 3, so that they survive any ending.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { oddRecords } from './odd-values.mjs';
import { recordOf } from './record.mjs';

const REPORT = 3;
const TICK_MS = 10;

/** An idle logger uses hardly any CPU time, in any thread, for a second: its worker has started. */
const IDLE = { forMs: 1_000, cpuMs: 20 };

const settings = JSON.parse(process.env.SETTINGS);
const { work, ending } = settings;

const report = (event, details = {}) => {
  writeSync(REPORT, `${JSON.stringify({ event, at: Date.now(), ...details })}\n`);
};

const module = await import(settings.module);
const logging = await module[settings.create](settings);

let logged = 0;
let thrown = 0;
const first = work.first ?? 0;
const last = first + work.records;

function logUntil(end) {
  for (; logged < end - first; logged++) logging.log(recordOf(first + logged, work.bytes));
}

/** Stops after the time limit if the machine is too slow for the rate. */
async function logAtRate(perSecond, forMs = Number.POSITIVE_INFINITY) {
  const start = performance.now();
  while (logged < work.records && performance.now() - start < forMs) {
    const due = Math.floor(((performance.now() - start) / 1_000) * perSecond);
    logUntil(Math.min(last, first + due));
    if (settings.progress) report('progress', { records: logged });
    await sleep(TICK_MS);
  }
}

async function logByTurns(perTurn) {
  while (logged < work.records) {
    logUntil(Math.min(last, first + logged + perTurn));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function logOddValues() {
  for (const record of oddRecords()) {
    logged++;
    try {
      logging.log(record);
    } catch {
      thrown++;
    }
  }
}

/** Resolves when the parent closes stdin. */
const closeRequested = () => new Promise((resolve) => process.stdin.resume().once('end', resolve));

async function close() {
  report('closing', { stats: logging.stats() });
  await logging.close();
  report('closed', { stats: logging.stats() });
}

const endings = {
  exit: () => process.exit(0),
  throw: () => {
    process.nextTick(() => {
      throw new Error('uncaught on purpose');
    });
  },
  natural: () => {},
  close: async () => {
    await close();
    process.exit(0);
  },
  'close on request': async () => {
    await closeRequested();
    await close();
    process.exit(0);
  },
  flush: () => {
    const since = Date.now();
    logging.flush(() => {
      report('flushed', { ms: Date.now() - since });
      process.exit(0);
    });
  },
  /** Runs until a signal arrives. */
  stay: () => void setInterval(() => {}, 1_000),
};

async function isIdle() {
  const before = process.cpuUsage();
  await sleep(IDLE.forMs);
  const { user, system } = process.cpuUsage(before);
  return user + system < IDLE.cpuMs * 1_000;
}

if (settings.idle) {
  while (!(await isIdle()));
  report('idle', { rss: process.memoryUsage.rss() });
}
report('logging');
if (work.odd) logOddValues();
else if (work.perSecond !== undefined) await logAtRate(work.perSecond, work.forMs);
else if (work.perTurn !== undefined) await logByTurns(work.perTurn);
else logUntil(last);
report('logged', { records: logged, thrown });
// Not awaited: a program that only waits for a stream exits.
void endings[ending]();
