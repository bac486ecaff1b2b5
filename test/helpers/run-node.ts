import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { inject } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

declare module 'vitest' {
  interface ProvidedContext {
    /** Only a hanging program takes this long. Shorter than the time limit of a test. */
    programDeadlineMs: number;
  }
}

export interface NodeRun {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a program in its own Node process. By default, its directory is that of the repository, in which `logclient`
 * resolves to the built package.
 *
 * @throws if it has not exited by `programDeadlineMs`; the process is then killed.
 */
export function runNode(file: string, env: Record<string, string> = {}, cwd = ROOT): Promise<NodeRun> {
  return new Promise((resolvePromise, reject) => {
    const child = spawn(process.execPath, [file], {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LOGCLIENT_DISCOVERY: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    const deadlineMs = inject('programDeadlineMs');
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${file} did not end within ${deadlineMs} ms.\nstdout: ${stdout}\nstderr: ${stderr}`));
    }, deadlineMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolvePromise({ code, signal, stdout, stderr });
    });
  });
}
