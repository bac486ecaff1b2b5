// What a process has used since a moment: CPU of all threads, CPU of the main thread, delays of the event loop, memory.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const LOOP_RESOLUTION_MS = 10;
const TURN_INTERVAL_MS = 5;
const MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;

/** Microseconds; nothing where there is no way to know. */
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

/** The longest turn of the event loop in CPU time of its thread, whatever else the machine does. */
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

  /** The longest delay until now counts; what comes later does not. */
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
