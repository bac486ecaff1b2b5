import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { activeEntry } from './switch.mjs';

/** A program that uses more CPU time probably never ends. The second, patient try allows more. */
const MAX_CPU_SECONDS = 15;
const MAX_PATIENT_CPU_SECONDS = 40;
const TICKS_PER_SECOND = 100;

/** The process group and the temporary folder of each run that has not ended, by its mark. */
const running = new Map();

/** Ends all programs of all runs. */
export function endRuns() {
  for (const [run, { group, tmp }] of running) endRun(run, group, tmp);
}

/**
 * Runs the tests of some tasks, which have a mutation and test files each, in one Vitest. Once a test fails, the other tests
 * of its task are skipped. Ends all programs that they leave behind, and removes their temporary files.
 *
 * @param setting `records`: a folder for what the tests reach; `limitMs`: ends the run after this time; `workers`: how many
 * files run at the same time; `patient`: with the time limits of `npm test`
 * @returns `results` of the files that ended, and the `errors` that no file caused
 */
export async function runTests(copy, tasks, { records, limitMs, workers, patient = false }) {
  const run = randomUUID();
  // Short: the path of a socket has at most 107 bytes.
  const tmp = mkdtempSync(join(tmpdir(), 'lm-'));
  const plan = join(tmp, 'plan.json');
  const environments = tasks.map(({ mutant }) => ({
    PATH: `${activeEntry(mutant, run)}:${process.env.PATH}`,
  }));
  writeFileSync(plan, JSON.stringify({ tasks, environments, workers, patient, folder: tmp }));
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'scripts/mutate/vitest.config.mjs'], {
    cwd: copy,
    detached: true, // Its own process group, which can be ended as one.
    stdio: ['ignore', 'ignore', process.env.MUTATION_DEBUG ? 'inherit' : 'ignore'],
    env: {
      ...process.env,
      CI: '1', // No snapshot is written.
      TMPDIR: tmp,
      MUTATION_PLAN: plan,
      ...(records && { MUTATION_RECORDS: records }),
      PATH: `${activeEntry('none', run)}:${process.env.PATH}`,
    },
  });
  running.set(run, { group: child.pid, tmp });
  const maxCpuSeconds = patient ? MAX_PATIENT_CPU_SECONDS : MAX_CPU_SECONDS;
  const watch = setInterval(() => endSpinning(child.pid, run, maxCpuSeconds), 5_000);
  const ended = await exitOf(child, limitMs);
  clearInterval(watch);
  const lines = readLines(join(tmp, 'results'));
  endRun(run, child.pid, tmp);
  return {
    results: lines.filter(({ file }) => file !== undefined),
    errors: ended ? lines.filter(({ file }) => file === undefined) : [{ reason: 'timed out' }],
  };
}

/** Whether the program ended before the time limit. */
function exitOf(child, limitMs) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve(false);
    }, limitMs);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

function endRun(run, group, tmp) {
  end(-group);
  // A program that left the group still has the mark of the run. Only Linux shows it.
  for (const pid of programsOf(run)) end(pid);
  running.delete(run);
  rmSync(tmp, { recursive: true, force: true, maxRetries: 3 });
}

function endSpinning(vitest, run, maxCpuSeconds) {
  for (const pid of programsOf(run)) {
    if (pid !== vitest && cpuSeconds(pid) > maxCpuSeconds) end(pid);
  }
}

function programsOf(run) {
  const pids = readdirOf('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => readText(`/proc/${pid}/environ`).includes(run)).map(Number);
}

function cpuSeconds(pid) {
  const fields = readText(`/proc/${pid}/stat`).split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
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

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readLines(file) {
  const lines = readText(file).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}
