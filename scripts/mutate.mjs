// Checks that tests notice mutations: `npm run mutate -- [FOLDER]... [--sample 300] [--seed 1] [--tests FILTER]...
// [--nearest COUNT] [--jobs 2]`. Builds a copy of the project with all sampled mutations behind switches, records which
// test files reach which of them, and runs these (or only the nearest ones) with one mutation switched on at a time.
// Exits with status 1 if a mutation survives that `scripts/mutate/unnoticeable.json` doesn't list.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listMutants, withSwitches } from './mutate/mutants.mjs';
import { HEADER } from './mutate/switch.mjs';
import { endRuns, runTests } from './mutate/test-run.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = ['src/ingest', 'transports', 'src/core/http', 'src/client/tail', 'src/testing'];
const UNNOTICEABLE = join(ROOT, 'scripts/mutate/unnoticeable.json');
const HOUR_MS = 3_600_000;
/** The test files of a mutation run in groups of this size, fastest first, until one fails. */
const GROUP_SIZES = [6, 30, Number.POSITIVE_INFINITY];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
    nearest: { type: 'string', default: '1000' },
  },
});

const work = mkdtempSync(join(tmpdir(), 'logclient-mutate-'));
process.on('exit', () => {
  endRuns();
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const copy = join(work, 'copy');
const mutants = await sampleMutants(positionals.length > 0 ? positionals : FOLDERS);
const baseline = await recordTests();
process.exitCode = report(await tryMutants()) ? 0 : 1;

function print(text) {
  process.stdout.write(`${text}\n`);
}

/** Builds the copy, with the sampled mutations. */
async function sampleMutants(folders) {
  const sources = filesOf('--cached', ...folders).filter((file) => /(?<!\.d)\.ts$/.test(file));
  const all = await listMutants(ROOT, sources, options.seed);
  const { files, mutants } = await withSwitches(ROOT, all.slice(0, Number(options.sample)));
  for (const file of filesOf('--cached', '--others', '--exclude-standard')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const { name, content } of files) writeFileSync(join(copy, name), HEADER + content);
  print(`${mutants.length} of ${all.length} mutations in ${folders.join(', ')} (seed ${options.seed})`);
  execFileSync('npx', ['tsdown', '--logLevel', 'error'], { cwd: copy, stdio: 'inherit' });
  return mutants;
}

function filesOf(...parameters) {
  const names = execFileSync('git', ['ls-files', '-z', ...parameters], { cwd: ROOT, encoding: 'utf8' });
  return names.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)));
}

/** Runs the tests without a mutation: how long each file takes, and which mutations it reaches. */
async function recordTests() {
  const records = join(work, 'records');
  mkdirSync(records);
  const { results } = await runTests(copy, options.tests, { records, limitMs: HOUR_MS });
  const files = results.map(({ name, status, startTime, endTime }) => ({
    file: relative(copy, name),
    passed: status === 'passed',
    ms: endTime - startTime,
    reached: new Set(idsOf(join(records, Buffer.from(name).toString('base64url')))),
  }));
  const failed = files.filter(({ passed }) => !passed);
  for (const { file } of failed) print(`left out, because it fails without a mutation: ${file}`);
  print(`${files.length - failed.length} test files`);
  // First those that are fast and test little else.
  const cost = ({ ms, reached }) => ms * reached.size;
  return files.filter(({ passed }) => passed).sort((a, b) => cost(a) - cost(b));
}

/** Tries mutation after mutation, some at a time. */
async function tryMutants() {
  const outcomes = [];
  const waiting = [...mutants];
  const job = async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const outcome = { mutant, ...(await tryMutant(mutant)) };
      outcomes.push(outcome);
      print(
        `${outcomes.length} ${outcome.killer === undefined ? 'SURVIVED' : 'killed'} ${describe(outcome)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: Number(options.jobs) }, job));
  return outcomes;
}

async function tryMutant(mutant) {
  const tests = testsOf(mutant).slice(0, Number(options.nearest));
  let waiting = tests;
  for (const size of GROUP_SIZES) {
    let group = waiting.slice(0, size);
    waiting = waiting.slice(size);
    while (group.length > 0) {
      const failure = await firstFailure(group, mutant.id);
      if (failure === undefined) break;
      // On a busy machine, a test also takes too long without the mutation.
      const suspects = group.filter(({ file }) => file === (failure.file ?? file));
      const isSlow = /STACK_TRACE_ERROR|timed out|suspended|did not end/.test(failure.reason);
      if (!isSlow || (await firstFailure(suspects)) === undefined) {
        return { tests: tests.length, killer: failure };
      }
      group = group.filter((each) => !suspects.includes(each));
    }
  }
  return { tests: tests.length };
}

/** Runs tests until one fails. */
async function firstFailure(group, mutant) {
  // Much slower than without the mutation: it never ends.
  const limitMs = 120_000 + 5 * group.reduce((sum, { ms }) => sum + ms, 0);
  const names = group.map(({ file }) => file);
  const { code, results } = await runTests(copy, names, { mutant, limitMs, bail: 1 });
  return code === 0 ? undefined : failureIn(code, results);
}

/**
 * The test files that reach a mutation, then those that reach its source file: tests that share a process don't reach
 * code again that runs when a module is loaded.
 */
function testsOf({ id, file }) {
  const neighbors = mutants.filter((mutant) => mutant.file === file).map((mutant) => mutant.id);
  const direct = baseline.filter(({ reached }) => reached.has(id));
  const related = baseline.filter(({ reached }) => neighbors.some((neighbor) => reached.has(neighbor)));
  return [...new Set([...direct, ...related])];
}

function failureIn(code, results) {
  for (const { name, assertionResults, message } of results) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    const file = relative(copy, name);
    if (failed !== undefined) return { file, test: failed.fullName, reason: failed.failureMessages.join() };
    if (message) return { file, test: 'cannot be loaded', reason: message };
  }
  if (code === undefined) return { test: 'the time limit', reason: 'timed out' };
  return { test: 'an error outside of tests', reason: '' };
}

function describe({ mutant: { file, line, original, replacement }, tests, killer }) {
  const change = `${shorten(original)} → ${shorten(replacement)}`;
  return `${file}:${line} ${change} (${killer === undefined ? `${tests} test files reach it` : nameOf(killer)})`;
}

function nameOf({ file, test }) {
  return file === undefined ? test : `${file} > ${test}`;
}

function shorten(code) {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 80)} … ${line.slice(-35)}` : line;
}

/** Prints a line for each folder. Returns whether every survivor is listed with a reason. */
function report(outcomes) {
  const reasons = JSON.parse(readFileSync(UNNOTICEABLE, 'utf8'));
  const reasonOf = ({ file, original, replacement }) =>
    reasons.find(
      (known) => known.file === file && known.original === original && known.replacement === replacement,
    );
  const isOpen = ({ killer, mutant }) => killer === undefined && reasonOf(mutant) === undefined;
  for (const { mutant } of outcomes.filter(
    ({ killer, mutant }) => killer !== undefined && reasonOf(mutant),
  )) {
    print(`can be noticed, although it is listed: ${mutant.file}:${mutant.line}`);
  }
  for (const folder of FOLDERS) {
    const those = outcomes.filter(({ mutant }) => mutant.file.startsWith(`${folder}/`));
    const killed = those.filter(({ killer }) => killer !== undefined).length;
    const open = those.filter(isOpen).length;
    print(
      `${folder}: ${those.length} sampled, ${killed} killed, ${open} survived, ${those.length - killed - open} can't be noticed`,
    );
  }
  const open = outcomes.filter(isOpen);
  for (const outcome of open) print(`SURVIVED ${describe(outcome)}`);
  return open.length === 0;
}

function idsOf(record) {
  try {
    return readFileSync(record, 'utf8').split('\n');
  } catch {
    return [];
  }
}
