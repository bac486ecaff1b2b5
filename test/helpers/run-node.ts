import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { inject } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

declare module 'vitest' {
  interface ProvidedContext {
    /** Only a program that hangs takes as long, on any machine. Shorter than a test of the project may take. */
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
 * Runs a program in a Node process of its own. In the repository's folder, unless another is given, `logclient` names the
 * built package.
 *
 * @throws when it has not ended by `programDeadlineMs`; the process is killed then.
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
