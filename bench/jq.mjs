// jq, if installed. It reads the file again for each query.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

export async function hasJq() {
  try {
    await run('jq', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} program that maps an array of all events to an array of rows */
export async function askJq(program, file) {
  const start = performance.now();
  const limits = { timeout: TIMEOUT_MS, maxBuffer: MOST_OUTPUT };
  const { stdout } = await run('jq', ['-c', '-s', program, file], limits);
  const ms = performance.now() - start;
  const rows = JSON.parse(stdout);
  return { ms, rows: rows.length, value: Number(rows[0]) };
}
