// Runs the benchmark questions one after the other and prints the results as Markdown.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { allLoggers, chosenLoggers } from './loggers/index.mjs';
import { questionNamed, questions } from './questions/index.mjs';

const USAGE = `Usage: npm run bench -- [questions] [options]

  --short            less of everything: minutes instead of hours
  --tiny             next to nothing, to see whether it works; its numbers mean nothing
  --rounds <number>  medians of so many rounds; 5 unless given, 3 with --short, 1 with --tiny
  --loggers <names>  loggers, separated by commas; "own" and "baselines" stand for several
  --records <number> records or events of a run, where one number says it
  --rate <number>    records a second, for transports, steady, gzip and spool
  --against <folder> for start: measures another built checkout in the same rounds
  --only <text>      for hostile: requests with this text in their names
  --profile <folder> writes CPU profiles of what is measured there
  --list             says what there is`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    loggers: { type: 'string' },
    records: { type: 'string' },
    rate: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string' },
    profile: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const print = (text) => process.stdout.write(`${text}\n`);

function positive(name) {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Error(`--${name} must be a whole number above 0: ${text}`);
  return number;
}

function settingsOf() {
  const length = values.tiny ? 'tiny' : values.short ? 'short' : 'full';
  return {
    rounds: positive('rounds') ?? { full: 5, short: 3, tiny: 1 }[length],
    records: positive('records'),
    rate: positive('rate'),
    loggers: values.loggers === undefined ? undefined : chosenLoggers(values.loggers),
    only: values.only,
    against: values.against && resolve(values.against),
    /** Selects the amount for the length of the run. */
    amount: (amounts) => amounts[length],
    execArgv: values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`],
    length,
  };
}

async function bench() {
  if (!existsSync(new URL('../dist/index.js', import.meta.url))) {
    throw new Error('The package is not built yet: npm run build');
  }
  const chosen = positionals.length === 0 ? questions : positionals.map(questionNamed);
  const settings = settingsOf();
  const { platform, arch, version } = process;
  print(
    `${new Date().toISOString().slice(0, 10)}, Node ${version}, ${platform} ${arch}, ${availableParallelism()} cores; ` +
      `${settings.length} run, medians of ${settings.rounds}\n`,
  );
  for (const { name, title, run } of chosen) {
    print(`### ${name}: ${title}\n\n${await run(settings)}\n`);
  }
}

if (values.help) print(USAGE);
else if (values.list) {
  for (const { name, title } of questions) print(`${name.padEnd(12)} ${title}`);
  print(`\n${allLoggers.join('\n')}`);
} else await bench();
