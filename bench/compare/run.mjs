// Runs the scenarios with the loggers and prints the results as Markdown.
import { parseArgs } from 'node:util';
import { loggers, ownLoggers } from './loggers/index.mjs';
import { fits, scenarioNamed, scenarios } from './scenarios.mjs';
import { play } from './stage.mjs';
import { scenarioTable, summaryTable } from './table.mjs';

const USAGE = `Usage: npm run compare -- [options]

  --only <names>      scenarios, separated by commas; all unless given
  --loggers <names>   loggers, separated by commas; "own" stands for ours; all unless given
  --at-once <number>  loggers to run side by side, but for the scenarios under load; 1 unless given
  --short             with less work where the full amount takes long
  --list              lists scenarios and loggers
  --stderr            shows what each program wrote to stderr`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    loggers: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    stderr: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const print = (text) => process.stdout.write(`${text}\n`);

const listed = (text) => text.split(',').map((name) => name.trim());

function chosenLoggers() {
  if (values.loggers === undefined) return Object.keys(loggers);
  const names = listed(values.loggers).flatMap((name) => (name === 'own' ? ownLoggers : [name]));
  for (const name of names) {
    if (loggers[name] === undefined)
      throw new Error(`There is no logger ${name}: ${Object.keys(loggers).join(', ')}`);
  }
  return names;
}

/** Keeps the order of the loggers. Heavy scenarios run one at a time, because they would share the CPU. */
async function playAll(scenario, names) {
  const waiting = names.filter((each) => fits(scenario, loggers[each])).entries();
  const runs = [];
  const playNext = async () => {
    for (const [index, name] of waiting) runs[index] = await play(scenario, name, { short: values.short });
  };
  const atOnce = scenario.heavy ? 1 : Number(values['at-once']);
  await Promise.all(Array.from({ length: atOnce }, playNext));
  return runs;
}

async function compare() {
  const chosen = values.only === undefined ? scenarios : listed(values.only).map(scenarioNamed);
  const names = chosenLoggers();
  const runs = [];
  for (const scenario of chosen) {
    const here = await playAll(scenario, names);
    runs.push(...here);
    for (const { logger, stderr } of values.stderr ? here : []) {
      if (stderr !== '') process.stderr.write(`--- ${logger}\n${stderr.slice(0, 2_000)}\n`);
    }
    print(scenarioTable(scenario, here));
  }
  print(`## Summary\n\n${summaryTable(chosen, names, runs)}`);
}

if (values.help) print(USAGE);
else if (values.list) {
  for (const { name, title } of scenarios) print(`${name.padEnd(22)} ${title}`);
  print(`\n${Object.keys(loggers).join('\n')}`);
} else await compare();
