// What does a program cost that only logs ten records and exits?
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loggers } from '../loggers/index.mjs';
import { usageOf } from '../process-usage.mjs';
import { withPrograms } from '../program.mjs';
import { MARK } from '../record.mjs';
import { inTurns, medianRatio, medians } from '../rounds.mjs';
import { deliveredText, firstLine, fixed, markdown, megabytes, UNKNOWN } from '../table.mjs';

const RECORDS = 10;
/** How long to wait for records after a process has exited; only loggers that lose records need all of it. */
const ARRIVAL_MS = 500;
const POLL_MS = 20;
const PROTOCOLS = ['logscale', 'loki', 'axiom'];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PEERS = join(ROOT, 'bench/compare/peers');
const PROGRAMS = fileURLToPath(new URL('../programs/start', import.meta.url));

/** The program of each logger, and the row its CPU is compared with. */
const STARTS = {
  'pino alone': { program: 'pino-alone' },
  'pino to a file': { program: 'pino-file', reference: 'pino alone' },
  '@axiomhq/pino': { program: 'axiom-pino', reference: 'pino to a file' },
  'pino-loki': { program: 'pino-loki', reference: 'pino to a file' },
  'logclient pino': { program: 'pino-transport', reference: 'pino to a file' },
  'logclient pino createPinoTransport': { program: 'create-pino-transport', reference: 'pino to a file' },
  'logclient pino in-process': { program: 'create-pino-stream', reference: 'pino alone' },
  'logclient pino in-process redact': {
    program: 'create-pino-stream-redact',
    reference: 'logclient pino in-process',
  },
  'winston to nowhere': { program: 'winston-null' },
  '@axiomhq/winston': { program: 'axiom-winston', reference: 'winston to nowhere' },
  'logclient winston': { program: 'winston-worker', reference: 'winston to nowhere' },
  'logclient winston in-process': { program: 'winston-in-process', reference: 'winston to nowhere' },
};
const ALONE = { pino: 'pino alone', winston: 'winston to nowhere' };
const FLAGS = ['--version', '--help'];

export const start = {
  name: 'start',
  title: `a program that logs ${RECORDS} records and exits`,
  async run(settings) {
    const folders = new Folders();
    try {
      const subjects = subjectsOf(settings, folders);
      const rows = await withPrograms(
        PROTOCOLS.map(() => ['sink']),
        async (...programs) => {
          const sinks = await openSinks(programs);
          const file = join(folders.create(tmpdir()), 'records.ndjson');
          return inTurns(subjects, settings.rounds, (subject) => measure(subject, sinks, file, settings));
        },
      );
      return table(rows, settings.against);
    } finally {
      folders.remove();
    }
  },
};

/** Temporary folders. Programs copied below a folder import the packages installed in that folder. */
class Folders {
  #created = [];

  create(parent) {
    const folder = mkdtempSync(join(parent, '.tmp-start-'));
    this.#created.push(folder);
    return folder;
  }

  copyPrograms(parent) {
    const folder = this.create(parent);
    cpSync(PROGRAMS, folder, { recursive: true });
    return folder;
  }

  remove() {
    for (const folder of this.#created) rmSync(folder, { recursive: true });
  }
}

function subjectsOf({ loggers: chosen = Object.keys(STARTS), against }, folders) {
  const peers = folders.copyPrograms(PEERS);
  const other = against && folders.copyPrograms(against);
  const named = Object.keys(STARTS).filter((name) => chosen.includes(name));
  const logging = named.flatMap((name) => {
    const { program, reference } = STARTS[name];
    const { protocol, kind, isOwn } = loggers[name];
    const of = (folder) => ({ args: [join(folder, `${program}.mjs`)], protocol, isLogging: true });
    const row = { label: name, reference, alone: ALONE[kind], ...of(isOwn === false ? peers : PROGRAMS) };
    return isOwn && other ? [row, { ...row, ...of(other), label: otherLabel(name, against) }] : [row];
  });
  const cli = FLAGS.flatMap((flag) => {
    const of = (root) => ({ args: [join(root, 'dist/cli/main.js'), flag], reference: 'node -e 0' });
    const row = { label: `logclient ${flag}`, ...of(ROOT) };
    return other ? [row, { ...of(against), label: otherLabel(row.label, against) }] : [row];
  });
  return [...logging, { label: 'node -e 0', args: ['-e', '0'] }, ...cli];
}

const otherLabel = (label, against) => `${label}, ${basename(against)}`;

async function openSinks(programs) {
  const opened = PROTOCOLS.map(async (protocolName, index) => {
    const sink = programs[index];
    return [protocolName, { sink, url: await sink.ask('open', { protocolName }) }];
  });
  return Object.fromEntries(await Promise.all(opened));
}

async function measure({ args, protocol, isLogging }, sinks, file, { execArgv }) {
  const { sink, url } = sinks[protocol] ?? {};
  const before = await sink?.ask('count');
  writeFileSync(file, '');
  const usage = await usageOf([process.execPath, ...execArgv, ...args], { URL: url ?? '', FILE: file });
  if (!isLogging) return usage;
  if (sink === undefined) return { ...usage, delivered: readFileSync(file, 'utf8').split(MARK).length - 1 };
  return { ...usage, delivered: await arrivedAt(sink, before.records) };
}

async function arrivedAt(sink, before) {
  const deadline = Date.now() + ARRIVAL_MS;
  for (;;) {
    const { records } = await sink.ask('count');
    if (records - before >= RECORDS || Date.now() > deadline) return records - before;
    await sleep(POLL_MS);
  }
}

function table(rows, against) {
  const rowOf = new Map(rows.map((row) => [row.subject.label, row]));
  const cells = rows.map(({ subject, results, error }) => {
    const { label, reference, alone, isLogging } = subject;
    if (error !== undefined) return [label, `failed: ${firstLine(error.message)}`, ...Array(4).fill(UNKNOWN)];
    const own = medians(results);
    const times = (other) => {
      const ratio = medianRatio(results, rowOf.get(other)?.results, 'cpuMs');
      return ratio === undefined ? UNKNOWN : `${ratio.toFixed(2)}x ${other}`;
    };
    const base = medians(rowOf.get(alone)?.results ?? []).peakRss;
    return [
      label,
      fixed(own.cpuMs),
      times(reference),
      megabytes(own.peakRss),
      label === alone || base === undefined ? UNKNOWN : megabytes(own.peakRss - base),
      isLogging && reference !== undefined ? deliveredText(results, RECORDS) : UNKNOWN,
      ...(against === undefined ? [] : [times(otherLabel(label, against))]),
    ];
  });
  const header = [
    'program',
    'CPU, ms',
    'CPU ratio',
    'peak RSS, MB',
    'above the logger alone, MB',
    'delivered',
  ];
  return markdown([...header, ...(against === undefined ? [] : ['CPU ratio to the other checkout'])], cells);
}
