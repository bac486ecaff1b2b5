// Prints what CI took: `node scripts/stage-times.mjs FOLDER`. The folder has the file `times`, a line for each stage with its
// wall, user and system time in seconds and its name, and vitest's JSON reports. Fails if the tests need too much CPU time.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** CPU time of `npm test`, measured in that of `npm run typecheck` beside it, which makes it the same on any machine. */
const TEST_BUDGET = 11;
/** How much more than the budget the tests may need: other work on the machine changes the ratio. */
const TOLERANCE = 1.3;

const SLOWEST_FILES = 10;

const [folder] = process.argv.slice(2);
const stages = readFileSync(join(folder, 'times'), 'utf8').trimEnd().split('\n').map(readStage);

print('Seconds of time, CPU time, stage:');
for (const { wall, cpu, name } of stages) print(`${column(wall)}${column(cpu)}  ${name}`);
print('Seconds, slowest test files:');
for (const { seconds, file } of slowestFiles()) print(`${column(seconds)}  ${file}`);

const ratio = cpuOf('npm test') / cpuOf('npm run typecheck');
const limit = TEST_BUDGET * TOLERANCE;
const comparison = `npm test needs ${ratio.toFixed(1)} times the CPU time of npm run typecheck`;
print(`${comparison}; the budget is ${TEST_BUDGET}, the limit ${limit.toFixed(1)}.`);
if (!(ratio <= limit)) process.exitCode = 1;

function readStage(line) {
  const [wall, user, system, ...name] = line.split(' ');
  return { wall: Number(wall), cpu: Number(user) + Number(system), name: name.join(' ') };
}

/** `NaN`, which fails, for a stage that did not run. */
function cpuOf(stage) {
  return stages.find(({ name }) => name === stage)?.cpu ?? Number.NaN;
}

function slowestFiles() {
  const reports = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return reports
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).testResults)
    .map(({ name, startTime, endTime }) => ({
      seconds: (endTime - startTime) / 1_000,
      file: relative(process.cwd(), name),
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_FILES);
}

function column(seconds) {
  return seconds.toFixed(1).padStart(8);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
