import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'tsdown';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { ProgramSettings } from './spool-program.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const DEADLINE_MS = 60_000;

let folder = '';

/** Builds the program for the tests of a file. */
export function buildProgram(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(ROOT, 'node_modules/.spool-program-'));
    await build({
      config: false,
      entry: { program: join(import.meta.dirname, 'spool-program.ts') },
      outDir: folder,
      format: 'esm',
      platform: 'node',
      dts: false,
      logLevel: 'silent',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** A process that runs the program. It is killed at the end of the test. */
export class SpoolProcess {
  readonly #child: ChildProcess;
  #output = '';
  readonly ended: Promise<number | null>;
  #wake = (): void => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout!.setEncoding('utf8').on('data', (text) => {
      this.#output += text;
      this.#wake();
    });
    this.ended = new Promise((done) => {
      child.on('close', (code) => {
        this.#wake();
        done(code);
      });
    });
    onTestFinished(() => this.kill());
  }

  static start(
    settings: Pick<ProgramSettings, 'directory' | 'task'> & Partial<ProgramSettings>,
    shell?: string,
  ): SpoolProcess {
    const all: ProgramSettings = { first: 0, segmentBytes: 20_000, settles: false, ...settings };
    const program = join(folder, 'program.mjs');
    const options = {
      cwd: ROOT,
      env: { PATH: process.env.PATH, SETTINGS: JSON.stringify(all) },
      stdio: ['ignore', 'pipe', 'inherit'] as ('ignore' | 'pipe' | 'inherit')[],
    };
    const child =
      shell === undefined
        ? spawn(process.execPath, [program], options)
        : spawn('sh', ['-c', `${shell}; exec "$0" "$1"`, process.execPath, program], options);
    return new SpoolProcess(child);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The complete lines of its output. */
  get lines(): string[] {
    return this.#output.split('\n').slice(0, -1);
  }

  /** The number in the latest line that starts with `word`. */
  latest(word: string): number | undefined {
    const line = this.lines.findLast((text) => text.startsWith(`${word} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  }

  /** Waits for a line that starts with `word`. @throws after a timeout. */
  async line(word: string): Promise<string> {
    return this.until(() => this.lines.find((text) => text.startsWith(`${word} `)));
  }

  /** Waits for something in its output. @throws after a timeout. */
  async until<T>(find: () => T | undefined): Promise<T> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null || Date.now() > deadline)
        throw new Error(`It said:\n${this.#output}`);
      await new Promise<void>((done) => {
        this.#wake = done;
        setTimeout(done, 500);
      });
    }
  }

  /** Resolves when it has exited. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.ended;
  }
}
