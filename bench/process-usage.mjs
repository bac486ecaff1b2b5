// Measures CPU and memory of a whole process from outside.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./programs/usage-of.py', import.meta.url));
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Runs a command until it exits.
 * @param {readonly string[]} command
 * @param {Record<string, string>} env added to the environment of this process
 * @returns {Promise<{cpuMs: number, wallMs: number, peakRss: number}>} user and system CPU time of all threads; time
 * until the exit; peak memory in bytes
 * @throws Error if the command fails or doesn't exit in time
 */
export async function usageOf(command, env, timeoutMs = DEFAULT_TIMEOUT_MS) {
  // A separate process group, so that the timeout kills the command too.
  const child = spawn('python3', [SCRIPT, ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), timeoutMs);
  const started = new Promise((_, reject) => child.once('error', reject));
  try {
    const [output, errors] = await Promise.race([
      started,
      Promise.all([text(child.stdout), text(child.stderr)]),
    ]);
    if (output === '') throw new Error(`No exit within ${timeoutMs / 1_000} s`);
    const { status, ...usage } = JSON.parse(output);
    if (status !== 0) throw new Error(messageOf(errors) ?? `Exit status ${status}`);
    return usage;
  } finally {
    clearTimeout(timer);
  }
}

/** The line of a stack trace that contains the error message. */
const messageOf = (errors) => errors.split('\n').find((line) => /^\w*Error\b/.test(line));
