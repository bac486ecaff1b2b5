// Checks that tests notice mutations: `npm run mutate -- [FOLDER]... [--sample 300] [--seed 1] [--tests FILTER]...
// [--workers 2] [--work FOLDER]`. Builds a copy of the project with all sampled mutations behind switches, records which test
// files reach which of them, and runs these with one mutation switched on, until one fails: first the tests of the same
// folders, then, for the mutations that survive those, all others. With `--work`, everything is kept in that folder, and
// another run continues there. Exits with status 1 if a mutation survives that `scripts/mutate/unnoticeable.json` doesn't list.
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
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listMutants, withSwitches } from './mutate/mutants.mjs';
import { FAILED_BEFORE, HEADER } from './mutate/switch.mjs';
import { endRuns, runTests } from './mutate/test-run.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = ['src/ingest', 'transports', 'src/core/http', 'src/client/tail', 'src/testing'];
const UNNOTICEABLE = join(ROOT, 'scripts/mutate/unnoticeable.json');
const PROJECTS = ['shared', 'isolated', 'pages', 'reliability'];
const HOUR_MS = 3_600_000;
/** Each round tries this number of further test files per mutation, the most specific and fastest first. */
const ROUNDS = [1, 3, 10, Number.POSITIVE_INFINITY];
/** Mutations that one Vitest tries; each starts a few Vite servers. */
const BATCH_SIZE = 10;
/** On a busy machine, a test may also fail like this without the mutation. */
const SLOW =
  /tim(ed|e) ?out|in time|suspended|STACK_TRACE_ERROR|did not|exited unexpectedly|within|deadline/i;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: [''] },
    workers: { type: 'string', default: '2' },
    jobs: { type: 'string', default: '2' },
    work: { type: 'string' },
  },
});
const folders = positionals.length > 0 ? positionals : FOLDERS;
const workers = Number(options.workers);

const work = resolve(options.work ?? mkdtempSync(join(tmpdir(), 'logclient-mutate-')));
process.on('exit', () => {
  endRuns();
  if (options.work === undefined) rmSync(work, { recursive: true, force: true, maxRetries: 3 });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const copy = join(work, 'copy');
mkdirSync(work, { recursive: true });
const mutants = (await kept('mutants.json', sampleMutants)).slice(0, Number(options.sample));
const testFiles = await kept('test-files.json', listTests);
/** By id of a mutation: the test files that passed with it, and the one that failed. */
const outcomes = await kept('outcomes.json', () =>
  Object.fromEntries(mutants.map(({ id }) => [id, { passed: [] }])),
);
const near = await kept('near.json', () => recordTests(testFiles.filter(isNear)));
await tryMutants(near);
if (survivors().length > 0) {
  const far = await kept('far.json', () => recordTests(testFiles.filter((test) => !isNear(test))));
  await tryMutants([...near, ...far]);
}
process.exitCode = report() ? 0 : 1;

function print(text) {
  process.stdout.write(`${text}\n`);
}

/** The value that an earlier run has kept, or a new one. */
async function kept(name, make) {
  const file = join(work, name);
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await make()));
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Builds the copy, with the sampled mutations. */
async function sampleMutants() {
  const sources = filesOf('--cached', ...folders).filter((file) => /(?<!\.d)\.ts$/.test(file));
  const all = await listMutants(ROOT, sources, options.seed);
  const { files, mutants } = await withSwitches(ROOT, all.slice(0, Number(options.sample)));
  rmSync(copy, { recursive: true, force: true });
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

function listTests() {
  const parameters = [
    'vitest',
    'list',
    '--filesOnly',
    '--json',
    ...PROJECTS.map((name) => `--project=${name}`),
  ];
  const files = JSON.parse(execFileSync('npx', parameters, { cwd: copy, encoding: 'utf8' }));
  return files
    .map(({ file, projectName: project }) => ({ file: file.slice(copy.length + 1), project }))
    .filter(({ file }) => options.tests.some((filter) => file.includes(filter)));
}

/** Whether a test is in the folder that mirrors one of the mutated folders. */
function isNear({ file }) {
  return folders.some((folder) => file.startsWith(`test/${folder.replace('src/', '')}/`));
}

/** Runs tests without a mutation: how long each file takes, and which mutations it reaches. */
async function recordTests(files) {
  if (files.length === 0) return [];
  const records = join(work, 'records');
  mkdirSync(records, { recursive: true });
  const tasks = [{ mutant: 'none', files }];
  const { results } = await runTests(copy, tasks, { records, limitMs: 3 * HOUR_MS, workers, patient: true });
  for (const { file, test, reason } of results.filter(({ passed }) => !passed)) {
    print(`left out, because it fails without a mutation: ${file} > ${test}\n${reason}`);
  }
  return files.flatMap((test) => {
    const result = results.find(({ file }) => file === test.file);
    const record = join(records, Buffer.from(join(copy, test.file)).toString('base64url'));
    const reached = existsSync(record) ? readFileSync(record, 'utf8').trim().split('\n') : [];
    return result?.passed ? [{ ...test, ms: result.ms, reached }] : [];
  });
}

function survivors() {
  return mutants.filter(({ id }) => outcomes[id].killer === undefined);
}

/** Runs, with each mutation, the tests that reach it, until one fails. */
async function tryMutants(baseline) {
  const untried = (mutant) =>
    baseline
      .filter(
        ({ file, reached }) => reached.includes(mutant.id) && !outcomes[mutant.id].passed.includes(file),
      )
      .sort((a, b) => distance(a, mutant) - distance(b, mutant) || costOf(a) - costOf(b));
  for (const size of ROUNDS) {
    const tasks = survivors()
      .map((mutant) => ({ mutant: mutant.id, files: untried(mutant).slice(0, size) }))
      .filter(({ files }) => files.length > 0);
    const job = async () => {
      while (tasks.length > 0) await tryBatch(tasks.splice(0, BATCH_SIZE));
    };
    await Promise.all(Array.from({ length: Number(options.jobs) }, job));
  }
}

/** 0 for a test of the same name, 1 for a test of the same folder. */
function distance({ file }, mutant) {
  if (basename(file).startsWith(`${basename(mutant.file, '.ts')}.`)) return 0;
  return dirname(file) === `test/${dirname(mutant.file).replace('src/', '')}` ? 1 : 2;
}

/** Low for a test that is fast and reaches little else. */
function costOf({ ms, reached }) {
  return ms * reached.length;
}

async function tryBatch(tasks) {
  const results = await runBatch(tasks, false);
  // A test that takes too long must do so again, with more time, and not without the mutation.
  const doubts = results.filter(({ failure }) => failure !== undefined && SLOW.test(failure.reason));
  const repeated = doubts.map(({ mutant, failure }) => ({ mutant, files: filesNamed(failure.file) }));
  const without = [...new Set(doubts.map(({ failure }) => failure.file))].map((file) => ({
    mutant: 'none',
    files: filesNamed(file),
  }));
  const verdicts = doubts.length > 0 ? await runBatch([...repeated, ...without], true) : [];
  const failsWith = (mutant, file) =>
    verdicts.some((each) => each.mutant === mutant && each.failure?.file === file);
  for (const { mutant, files, failure } of results) {
    const outcome = outcomes[mutant];
    if (failure === undefined) outcome.passed.push(...files.map(({ file }) => file));
    else if (!SLOW.test(failure.reason)) outcome.killer = failure;
    else if (failsWith(mutant, failure.file) && !failsWith('none', failure.file)) outcome.killer = failure;
    else outcome.passed.push(failure.file);
  }
  writeFileSync(join(work, 'outcomes.json'), JSON.stringify(outcomes));
  print(`${mutants.length - survivors().length} of ${mutants.length} killed`);
}

function filesNamed(name) {
  return testFiles.filter(({ file }) => file === name);
}

/** Runs tasks. Adds to each its first failure. */
async function runBatch(tasks, patient) {
  const limitMs = 600_000;
  const { results, errors } = await runTests(copy, tasks, { limitMs, workers, patient });
  const judged = [];
  for (const [index, task] of tasks.entries()) {
    const mine = results.filter((result) => result.task === index);
    const failure = mine.find(({ passed, reason }) => !passed && !reason.includes(FAILED_BEFORE));
    const missing = task.files.find(({ file }) => !mine.some((result) => result.file === file));
    // An error outside of tests has a test file, but no mutation.
    const stray = errors.find(({ path }) => task.files.some(({ file }) => file === path));
    const suspect = missing?.file ?? stray?.path;
    if (failure !== undefined || suspect === undefined) judged.push({ ...task, failure });
    else if (tasks.length > 1) judged.push(...(await runBatch([task], patient)));
    else {
      const reason = stray?.reason ?? 'did not end';
      judged.push({ ...task, failure: { file: suspect, test: 'an error outside of tests', reason } });
    }
  }
  return judged;
}

function describe({ file, line, original, replacement, id }) {
  const { killer, passed } = outcomes[id];
  const change = `${shorten(original)} → ${shorten(replacement)}`;
  const tests = killer ? `${killer.file} > ${killer.test}` : `${passed.length} test files pass`;
  return `${file}:${line} ${change} (${tests})`;
}

function shorten(code) {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 80)} … ${line.slice(-35)}` : line;
}

/** Prints all mutations, and a line for each folder. Returns whether every survivor is listed with a reason. */
function report() {
  const reasons = JSON.parse(readFileSync(UNNOTICEABLE, 'utf8'));
  const isListed = ({ file, original, replacement }) =>
    reasons.some(
      (known) => known.file === file && known.original === original && known.replacement === replacement,
    );
  const isKilled = ({ id }) => outcomes[id].killer !== undefined;
  const isOpen = (mutant) => !isKilled(mutant) && !isListed(mutant);
  for (const mutant of mutants.filter(isKilled)) print(`killed ${describe(mutant)}`);
  for (const mutant of mutants.filter((each) => isKilled(each) && isListed(each))) {
    print(`can be noticed, although it is listed: ${mutant.file}:${mutant.line}`);
  }
  for (const folder of folders) {
    const those = mutants.filter(({ file }) => file.startsWith(`${folder}/`));
    const killed = those.filter(isKilled).length;
    const open = those.filter(isOpen).length;
    print(
      `${folder}: ${those.length} sampled, ${killed} killed, ${open} survived, ${those.length - killed - open} can't be noticed`,
    );
  }
  const open = mutants.filter(isOpen);
  for (const mutant of open) print(`SURVIVED ${describe(mutant)}`);
  return open.length === 0;
}
