// Resource usage of this process: CPU of all threads and of the main thread, event loop delays, memory.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const LOOP_RESOLUTION_MS = 10;
const TURN_INTERVAL_MS = 5;
const MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;

/** Microseconds; undefined if the system doesn't report it. */
function mainThreadCpu() {
  if (process.threadCpuUsage !== undefined) {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  }
  try {
    return Number(readFileSync(MAIN_THREAD, 'utf8').split(' ', 1)[0]) / 1_000;
  } catch {
    return undefined;
  }
}

/** Measures the longest turn of the event loop in CPU time, which other processes don't affect. */
export class LongestTurn {
  ms = 0;
  #cpu = mainThreadCpu();
  #timer = setInterval(() => this.#note(), TURN_INTERVAL_MS);

  stop() {
    clearInterval(this.#timer);
    this.#note();
    return this.ms;
  }

  #note() {
    const cpu = mainThreadCpu();
    this.ms = Math.max(this.ms, (cpu - this.#cpu) / 1_000);
    this.#cpu = cpu;
  }
}

export class Usage {
  #cpu = process.cpuUsage();
  #main = mainThreadCpu();
  #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

  constructor() {
    this.#loop.enable();
  }

  /** Stops measuring delays; `read` returns the longest one so far. */
  stopLoop() {
    this.#loop.disable();
  }

  read() {
    const { user, system } = process.cpuUsage(this.#cpu);
    const main = mainThreadCpu();
    return {
      cpuUs: user + system,
      mainUs: main === undefined ? undefined : main - this.#main,
      loopDelayMs: Math.max(0, this.#loop.max / 1e6 - LOOP_RESOLUTION_MS),
      peakRss: process.resourceUsage().maxRSS * 1024,
    };
  }
}
