import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { activeEntry } from './switch.mjs';

/** The process groups of the runs that have not ended, by their marks. */
const running = new Map();

/** Ends all programs of all runs. */
export function endRuns() {
  for (const [run, group] of running) endPrograms(group, run);
}

/** Runs test files in the copy. Ends all programs that they leave behind, and removes their temporary files. */
export async function runTests(copy, tests, { mutant, records, limitMs, bail = 0 }) {
  const run = randomUUID();
  const tmp = join(copy, '..', run);
  mkdirSync(tmp);
  const report = join(tmp, 'report.json');
  const vitest = [
    join(copy, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    'scripts/mutate/vitest.config.mjs',
  ];
  const output = ['--reporter=json', `--outputFile=${report}`, `--bail=${bail}`];
  const child = spawn(process.execPath, [...vitest, ...output, ...tests], {
    cwd: copy,
    detached: true, // Its own process group, which can be ended as one.
    stdio: 'ignore',
    env: {
      ...process.env,
      CI: '1', // No snapshot is written.
      TMPDIR: tmp,
      ...(records && { MUTATION_RECORDS: records }),
      PATH: `${activeEntry(mutant ?? 'none', run)}:${process.env.PATH}`,
    },
  });
  running.set(run, child.pid);
  const code = await exitOf(child, limitMs);
  endPrograms(child.pid, run);
  running.delete(run);
  const results = readReport(report);
  rmSync(tmp, { recursive: true, force: true, maxRetries: 3 });
  return { code, results };
}

/** The exit code, or `undefined` if the program had to be ended. */
function exitOf(child, limitMs) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(undefined);
    }, limitMs);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

function endPrograms(group, run) {
  end(-group);
  // A program that left the group still has the mark of the run. Only Linux shows it.
  for (const pid of readdirOf('/proc').filter((name) => /^\d+$/.test(name))) {
    if (environmentOf(pid).includes(run)) end(Number(pid));
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function readdirOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults;
  } catch {
    return [];
  }
}
