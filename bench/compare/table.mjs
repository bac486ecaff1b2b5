// Prints runs as Markdown tables.
import { brokenPromises, linesOf } from './promises.mjs';

const MEGABYTE = 1_000_000;
const HEADER = [
  'logger',
  'delivered',
  'lost',
  'twice',
  'out of order',
  'requests',
  'exit',
  'stderr',
  'peak RSS',
  'to the end',
  'kept?',
];

/** A table of one scenario with a row per logger. */
export function scenarioTable(scenario, runs) {
  const rows = runs.map((run) => [
    run.logger,
    `${run.delivered} of ${run.logged}`,
    run.lost,
    run.duplicates,
    run.inversions,
    run.requests.length,
    exitText(run),
    run.stderr === '' ? '-' : `${run.stderr.length} B, ${linesOf(run.stderr).length} lines`,
    `${Math.round(run.peakRss / MEGABYTE)} MB`,
    `${(run.endMs / 1_000).toFixed(1)} s`,
    brokenPromises(scenario, run).join('; ') || 'yes',
  ]);
  return [`### ${scenario.name}: ${scenario.title}`, '', markdown(HEADER, rows), ''].join('\n');
}

/** A table of all scenarios: the delivered records, or the broken promises. */
export function summaryTable(scenarios, loggerNames, runs) {
  const cell = (scenario, logger) => {
    const run = runs.find((each) => each.scenario === scenario.name && each.logger === logger);
    if (run === undefined) return '–';
    return brokenPromises(scenario, run).join('; ') || 'ok';
  };
  const rows = scenarios.map((scenario) => [
    scenario.name,
    ...loggerNames.map((logger) => cell(scenario, logger)),
  ]);
  return markdown(['scenario', ...loggerNames], rows);
}

function exitText({ exit: { code, signal }, killed }) {
  return killed ? 'never' : String(signal ?? code);
}

function markdown(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
