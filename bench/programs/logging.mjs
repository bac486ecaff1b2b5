// The program that logs and measures its own resource usage.
import { setTimeout as sleep } from 'node:timers/promises';
import { loggedRecord } from '../record.mjs';
import { answer, epochNow } from './answers.mjs';
import { Usage } from './usage.mjs';

const TICK_MS = 10;
/** Gives workers time to start before anything is measured. */
const START_MS = 500;
const CLOSE_TIMEOUT_MS = 15_000;
const CALLS_PER_TURN = 100;
/** Times one call in this many, because reading the clock costs as much as some calls. */
const TIMED_EVERY = 7;

let logging;
let usage;
let crash;

// Some loggers throw at the end, after everything has been measured.
process.on('uncaughtException', (error) => {
  crash ??= error.message;
});

class Calls {
  done = 0;
  #work;
  #times = [];

  constructor(work) {
    this.#work = work;
  }

  until(count) {
    for (; this.done < count; this.done++) {
      const record = loggedRecord(this.done, this.#work);
      if (this.done % TIMED_EVERY !== 0) {
        logging.log(record);
        continue;
      }
      const before = performance.now();
      logging.log(record);
      this.#times.push(performance.now() - before);
    }
  }

  /** The 99th percentile of call times, in microseconds. */
  p99() {
    const times = Float64Array.from(this.#times).sort();
    return times.length === 0 ? 0 : times[Math.floor(times.length * 0.99)] * 1_000;
  }
}

async function logAll(calls, { records, perSecond }) {
  const start = performance.now();
  while (calls.done < records) {
    if (perSecond === undefined) {
      calls.until(Math.min(records, calls.done + CALLS_PER_TURN));
      await new Promise((resolve) => setImmediate(resolve));
    } else {
      const due = Math.floor(((performance.now() - start) / 1_000) * perSecond);
      calls.until(Math.min(records, due));
      await sleep(TICK_MS);
    }
  }
}

answer({
  async start({ module, create, settings, work }) {
    const loaded = await import(module);
    logging = await loaded[create](settings);
    await logging.prepare?.(work);
    await sleep(START_MS);
  },
  /** Logs all records and closes the logger. */
  async log(work) {
    const calls = new Calls(work);
    usage = new Usage();
    const startedAt = epochNow();
    if (logging.run === undefined) await logAll(calls, work);
    else await logging.run(work);
    usage.stopLoop();
    const isClosed = await Promise.race([
      logging.close().then(() => true),
      sleep(CLOSE_TIMEOUT_MS, false, { ref: false }),
    ]);
    return { startedAt, endedAt: epochNow(), p99Us: calls.p99(), isClosed };
  },
  /** Called once no more records are expected. */
  async end() {
    return { ...usage.read(), crash, delivered: await logging.delivered?.() };
  },
});
