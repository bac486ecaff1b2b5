// Sums up vitest's JSON reports: `node scripts/sum-reports.mjs [--failed-check COMMAND]... REPORT...`
// Prints what failed and why, then the numbers of passed and failed tests. A report that is not there counts as
// a failure; so does a file that can't be loaded, without a single failed test. The checks that failed count only
// where no test did: the commands that run tests are among them.
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const LINES_OF_A_REASON = 12;

const {
  values: { 'failed-check': failedChecks },
  positionals: reports,
} = parseArgs({
  allowPositionals: true,
  options: { 'failed-check': { type: 'string', multiple: true, default: [] } },
});

const sums = { passed: 0, failed: 0 };
for (const path of reports) {
  const report = readReport(path);
  if (report === undefined) {
    fail(`${basename(path)} was not written`);
    continue;
  }
  sums.passed += report.numPassedTests;
  for (const file of report.testResults) {
    sumUp(file);
  }
}
if (sums.failed === 0) {
  failedChecks.forEach((command) => {
    fail(command);
  });
}
print(`${sums.passed} passed, ${sums.failed} failed`);
process.exitCode = sums.failed > 0 ? 1 : 0;

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function sumUp(file) {
  const failedTests = file.assertionResults.filter(({ status }) => status === 'failed');
  const where = relative(process.cwd(), file.name);
  for (const { fullName, failureMessages } of failedTests) {
    fail(`${where} > ${fullName}`, failureMessages.join('\n'));
  }
  if (file.status === 'failed' && failedTests.length === 0) {
    fail(where, file.message);
  }
}

function fail(what, why = '') {
  sums.failed++;
  const reason = stripVTControlCharacters(why).split('\n').slice(0, LINES_OF_A_REASON);
  print([`FAILED ${what}`, ...reason].join('\n  ').trimEnd());
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
