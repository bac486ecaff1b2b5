// The program that logs. SETTINGS says with what, how much, how fast, and how it ends; what happens is told through
// file descriptor 3, at once, so that it gets through whatever comes next.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { oddRecords } from './odd-values.mjs';
import { recordOf } from './record.mjs';

const REPORT = 3;
const TICK_MS = 10;

/** For the worker to be up before an idle logger is measured. */
const IDLE_MS = 1_000;

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

/** Where the machine is too slow for the rate, it is the time that counts. */
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

/** Resolves when the parent has seen enough. */
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
  /** Until a signal comes. */
  stay: () => void setInterval(() => {}, 1_000),
};

if (settings.idle) {
  await sleep(IDLE_MS);
  report('idle', { rss: process.memoryUsage.rss() });
}
report('logging');
if (work.odd) logOddValues();
else if (work.perSecond !== undefined) await logAtRate(work.perSecond, work.forMs);
else if (work.perTurn !== undefined) await logByTurns(work.perTurn);
else logUntil(last);
report('logged', { records: logged, thrown });
// Not awaited: a program that waits for a stream without anything else to do just ends.
void endings[ending]();
