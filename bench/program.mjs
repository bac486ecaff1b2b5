// Starts a program in a separate process and calls it, so that everything measured has its own process.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CALL_TIMEOUT_MS = 3_600_000;
const STDERR_LIMIT = 2_000;

export class Program {
  /** The start of its stderr output. */
  stderr = '';
  #child;
  #calls = new Map();
  #nextId = 0;
  #ended;

  /**
   * @param {string} name of the file in `programs`
   * @param {readonly string[]} [execArgv] Node options
   */
  constructor(name, execArgv = []) {
    const file = fileURLToPath(new URL(`./programs/${name}.mjs`, import.meta.url));
    this.#child = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      if (this.stderr.length < STDERR_LIMIT) this.stderr += text;
    });
    this.#child.on('message', ({ id, result, error }) => {
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (error === undefined) call.resolve(result);
      else call.reject(new Error(error));
    });
    this.#ended = new Promise((resolve) => this.#child.once('exit', resolve)).then(() => {
      for (const { reject } of this.#calls.values()) {
        reject(new Error(`The program ${name} ended before it had answered. ${this.stderr}`));
      }
    });
  }

  /** Calls a function of the program and resolves with its result. */
  ask(call, args = {}) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), CALL_TIMEOUT_MS);
      const settle = (settled) => (value) => {
        clearTimeout(timer);
        settled(value);
      };
      this.#calls.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#child.send({ id, call, args });
    });
  }

  /** Lets the program exit, so that it can write a CPU profile; kills it after 5 s. */
  async end() {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await this.#ended;
    clearTimeout(timer);
  }
}

/** Starts programs and ends them when the work succeeds or fails. */
export async function withPrograms(starts, work) {
  const programs = starts.map((start) => new Program(...start));
  try {
    return await work(...programs);
  } finally {
    await Promise.all(programs.map((program) => program.end()));
  }
}
