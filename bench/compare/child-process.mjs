// Starts the program that logs, and collects its output, its memory use and its exit.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loggers } from './loggers/index.mjs';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));
const MEMORY_POLL_MS = 100;

/** Appears only in the options of the loggers, unless one leaks it. */
export const TOKEN = 'secret-of-the-comparison-0815';

export class ChildProcess {
  stdout = '';
  stderr = '';
  /** Peak resident set size in bytes; 0 if the system does not report it. */
  peakRss = 0;
  /** @type {Record<string, object>} details of the events that the program reported, by name. */
  events = {};
  /** How many records the program had logged, and when. */
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
    child.stdin.on('error', () => {}); // The process may have exited already.
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

  /** Resolves with the details of an event, or `undefined` if the program ended without it. */
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

  /** Asks a program with the ending 'close on request' to close. */
  requestClose() {
    this.#process.stdin.end();
  }

  kill(signal) {
    this.killedAt = Date.now();
    this.#process.kill(signal);
  }

  /** @returns whether it exited on its own; otherwise it is killed after the timeout. */
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

  /** Resident set size in bytes; 0 if the system does not report it. */
  residentBytes() {
    return this.#statusBytes('VmRSS');
  }

  /** Reads the kernel's high-water mark. */
  async #measure() {
    this.peakRss = Math.max(this.peakRss, await this.#statusBytes('VmHWM'));
  }

  /** @returns 0 if the file or the process does not exist. */
  async #statusBytes(name) {
    try {
      const status = await readFile(`/proc/${this.#process.pid}/status`, 'utf8');
      return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
    } catch {
      return 0;
    }
  }
}
