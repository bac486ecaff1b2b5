import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';
import { IngestSink } from './ingest-sink.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = resolve(ROOT, 'test/fixtures/endings.mjs');

/** How a process that has just logged ends. */
export interface Ending {
  /** What the program does: a name in `test/fixtures/endings.mjs`. */
  readonly ending: string;
  /** Sent by the parent, 5 ms apart, when all records are logged. */
  readonly signals?: readonly NodeJS.Signals[];
  /** What other libraries have registered. */
  readonly company?: readonly string[];
  readonly inThread?: boolean;
  /** Logs when its worker runs. */
  readonly isWarm?: boolean;
  /** The hooks log to the same logger. */
  readonly hooksLog?: boolean;
  /** Options of the delivery. */
  readonly more?: object;
  /** Number of records before the end, and of those that the end logs itself. */
  readonly count?: number;
  readonly late?: number;
  readonly service?: IngestSink['answer'];
  /** Called when the program has printed this step. */
  readonly onStep?: (step: string) => void;
  /** Milliseconds between the signals. Default: 5. */
  readonly gapMs?: number;
}

export interface EndedProgram {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** What the program has printed. */
  readonly steps: readonly { readonly step: string; readonly at: number; readonly [name: string]: unknown }[];
  /** Numbers of the delivered records, in order of arrival. */
  readonly numbers: readonly number[];
  /** Number of records that were reported as dropped on stderr. */
  readonly dropped: number;
  /** Time from the last log call to the end, in milliseconds. */
  readonly tookMs: number;
}

export interface EndingRuntime {
  /** Command and arguments before the file. */
  readonly command?: readonly string[];
  readonly cwd?: string;
  readonly program?: string;
}

/** Runs a program that logs with a form of delivery, to a service of its own, and ends. */
export async function runEnding(
  form: string,
  { service = () => ({}), signals = [], count = 200, gapMs = 5, onStep, ...settings }: Ending,
  { command = [process.execPath], cwd = ROOT, program = PROGRAM }: EndingRuntime = {},
): Promise<EndedProgram> {
  const sink = await IngestSink.open();
  sink.answer = service;
  const folder = mkdtempSync(join(tmpdir(), 'logclient-ending-'));
  const [file, ...parameters] = command;
  const isAuto = form === 'logclient/auto';
  const child = spawn(file!, [...parameters, ...(isAuto ? ['--import', 'logclient/auto'] : []), program], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOGCLIENT_DISCOVERY: 'off',
      SETTINGS: JSON.stringify({ url: sink.url, form, count, folder, ...settings }),
      ...(isAuto && { LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token-of-the-child' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const before = stdout.split('\n').length - 1;
    stdout += text;
    for (const line of stdout.split('\n').slice(before, -1)) {
      const step = line.startsWith('{') ? JSON.parse(line).step : undefined;
      onStep?.(step);
      if (step !== 'ready') continue;
      for (const [index, signal] of signals.entries()) setTimeout(() => child.kill(signal), gapMs * index);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), inject('programDeadlineMs'));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((ended, failed) => {
    child.on('error', failed).on('close', (...status) => ended(status));
  });
  const endedAt = Date.now();
  clearTimeout(timer);
  rmSync(folder, { recursive: true, force: true });
  await sink.close();
  const steps = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const numbers = sink.events.map(({ attributes }) => Number(attributes.n ?? attributes.message));
  const drops = [...stderr.matchAll(/^logclient: (\d+) records? w.* dropped/gm)];
  return {
    code,
    signal,
    stderr,
    steps,
    // Without the record of a crash.
    numbers: numbers.filter((n) => !Number.isNaN(n)),
    dropped: drops.reduce((sum, [, records]) => sum + Number(records), 0),
    tookMs: endedAt - (steps.find(({ step }) => step === 'ready')?.at ?? 0),
  };
}
