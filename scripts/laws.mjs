// Tries many cases of all laws, with new seeds: `npm run laws -- [--minutes 10] [--corpus FILE] [--times 40] [--seed NUMBER]
// [TEST FILE]...`. Laws are in the test files that import `test/helpers/laws.ts`. Starts rounds until the minutes are over,
// each with another seed and `--times` as many cases as `npm test`, and with `npm run corpus` if there is a file for it.
// Prints the command that repeats each failure, and exits with status 1 if there are any. With `--seed`, there is one round.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    times: { type: 'string', default: '40' },
    seed: { type: 'string' },
    corpus: { type: 'string' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'logclient-laws-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const end = Date.now() + Number(options.minutes) * 60_000;
const files = positionals.length > 0 ? positionals : filesWithLaws();
print(`${files.length} test files with laws, ${options.times} times as many cases as in "npm test"`);
let failed = 0;
do {
  const seed = options.seed ?? String(randomInt(2 ** 31));
  failed += runLaws(seed);
  if (options.corpus !== undefined) failed += runCorpus(seed);
} while (options.seed === undefined && Date.now() < end);
process.exitCode = failed === 0 ? 0 : 1;

function print(text) {
  process.stdout.write(`${text}\n`);
}

function filesWithLaws() {
  const names = readdirSync('test', { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  return names
    .map((name) => join('test', name))
    .filter((file) => /^import .*\/helpers\/laws\.ts';$/m.test(readFileSync(file, 'utf8')))
    .sort();
}

/** Runs a round. @returns the number of tests that failed */
function runLaws(seed) {
  const report = join(work, 'report.json');
  rmSync(report, { force: true });
  const reporting = ['--reporter=json', `--outputFile=${report}`];
  // More cases need more time than a test has in `npm test`.
  const words = ['vitest', 'run', ...files, ...reporting, '--testTimeout=3600000'];
  const env = { ...process.env, LAWS_SEED: seed, LAWS_TIMES: options.times };
  const { stderr } = spawnSync('npx', words, { env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (!existsSync(report)) throw new Error(`Vitest wrote no report: ${stderr}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failures = testResults.flatMap(failuresOf);
  print(`seed ${seed}: ${failures.length} failed in ${testResults.length} files`);
  for (const { file, title, reason } of failures) {
    print(`\nFAILED ${file} > ${title}\n${reason}`);
    print(`repeat it with: npm run laws -- --seed ${seed} --times ${options.times} ${file}\n`);
  }
  return failures.length;
}

/** The tests of a file that failed, or the file itself, if it has none because it could not be loaded. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const failures = assertionResults
    .filter((test) => test.status === 'failed')
    .map(({ fullName, failureMessages }) => ({ file, title: fullName, reason: failureMessages.join('\n') }));
  const isBroken = status === 'failed' && failures.length === 0;
  return isBroken ? [{ file, title: 'the file', reason: message }] : failures;
}

function runCorpus(seed) {
  const words = [join(import.meta.dirname, 'corpus.mjs'), options.corpus, '--seed', seed];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  print(`seed ${seed}: the corpus ${status === 0 ? 'passed' : 'failed'}`);
  if (status === 0) return 0;
  print(`${stdout}${stderr}`);
  print(`repeat it with: npm run corpus -- ${options.corpus} --seed ${seed}\n`);
  return 1;
}
