import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** The built command. */
export const CLI_FILE = resolve(import.meta.dirname, '../../dist/cli/main.js');

export interface CliProcess {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves with the exit code, or the name of the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts the built command in its own process, which is killed at the end of the test. */
export function startCli(words: readonly string[], env: Record<string, string> = {}): CliProcess {
  return startProcess(process.execPath, [CLI_FILE, ...words], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', NO_COLOR: '1', LOGCLIENT_DISCOVERY: 'off', ...env },
  });
}

/** Starts any program in the same way. */
export function startProcess(command: string, words: readonly string[], options: SpawnOptions): CliProcess {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
  const output = { stdout: '', stderr: '' };
  child.stdin?.on('error', () => {});
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<number | NodeJS.Signals>((done, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) => done(code ?? signal!));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, output, ended };
}

/** Whether a program is installed. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}
