// Starts the program that logs, and collects what it says, how much memory it takes and how it ends.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loggers } from './loggers/index.mjs';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
const MEMORY_POLL_MS = 100;

/** Appears in the options of every logger and nowhere else, unless one leaks it. */
export const TOKEN = 'secret-of-the-comparison-0815';

export class ChildProcess {
  stdout = '';
  stderr = '';
  /** The highest resident set, in bytes, as far as the system tells. */
  peakRss = 0;
  /** @type {Record<string, object>} what the program told, by event. */
  events = {};
  /** How far the program had got, and when. */
  progress = [];
  /** Epoch milliseconds. */
  killedAt = 0;
  /** Resolves with code and signal. */
  ended;
  #process;
  #watchers = new Set();
  #hasEnded = false;

  /**
   * @param {string} loggerName
   * @param {object} settings url, options, work, ending, idle
   * @param {object} [env]
   */
  constructor(loggerName, settings, env = {}) {
    const { module, create } = loggers[loggerName];
    const child = spawn(process.execPath, [...(settings.nodeOptions ?? []), CHILD], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        SETTINGS: JSON.stringify({ ...settings, module, create, token: TOKEN }),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    this.#process = child;
    child.stdin.on('error', () => {}); // It may have ended already.
    child.stdout.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    createInterface({ input: child.stdio[3] }).on('line', (line) => this.#hear(JSON.parse(line)));
    const poll = setInterval(() => void this.#measure(), MEMORY_POLL_MS);
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        clearInterval(poll);
        this.#hasEnded = true;
        for (const watch of this.#watchers) watch();
        resolve({ code, signal });
      });
    });
  }

  /** Resolves with what the program told of an event, or nothing when it has ended without a word of it. */
  event(event) {
    return new Promise((resolve) => {
      const watch = () => {
        if (this.events[event] === undefined && !this.#hasEnded) return;
        this.#watchers.delete(watch);
        resolve(this.events[event]);
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  /** For a program that closes when told. */
  requestClose() {
    this.#process.stdin.end();
  }

  kill(signal) {
    this.killedAt = Date.now();
    this.#process.kill(signal);
  }

  /** @returns whether it ended by itself; it is killed when the time is over. */
  async endsWithin(timeoutMs) {
    let timer;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs, false);
    });
    const ended = await Promise.race([this.ended.then(() => true), timeout]);
    clearTimeout(timer);
    if (!ended) this.kill('SIGKILL');
    await this.ended;
    return ended;
  }

  #hear({ event, ...details }) {
    if (event === 'progress') this.progress.push(details);
    this.events[event] = details;
    for (const watch of this.#watchers) watch();
  }

  /** What the process has in memory now, as far as the system tells. */
  residentBytes() {
    return this.#statusBytes('VmRSS');
  }

  /** The kernel's own high-water mark. */
  async #measure() {
    this.peakRss = Math.max(this.peakRss, await this.#statusBytes('VmHWM'));
  }

  /** @returns 0 where there is no such file, or no such process any more. */
  async #statusBytes(name) {
    try {
      const status = await readFile(`/proc/${this.#process.pid}/status`, 'utf8');
      return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
    } catch {
      return 0;
    }
  }
}
