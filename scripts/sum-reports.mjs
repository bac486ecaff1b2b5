// Sums up vitest's JSON reports: `node scripts/sum-reports.mjs [--failed-check COMMAND]... REPORT...`
// Prints each failure with its reason, then the numbers of passed and failed tests. A missing report counts as a
// failure, and so does a file that fails without a failed test, for example because it can't be loaded. Failed checks
// count only if no test failed, because they include the commands that run the tests.
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
