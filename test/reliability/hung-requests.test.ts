import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI_FILE } from '../helpers/cli-process.ts';
import { eventually } from '../helpers/eventually.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';

/** Few and in small batches: after two requests without a response, little of the time to close is left. */
const COUNT = 2_000;
const BATCH = { maxBatchRecords: 500 };
const ALL = Array.from({ length: COUNT }, (_, index) => index + 1);
const FIXTURE = join(import.meta.dirname, '../fixtures/log-and-end.mjs');

/** A service that reads its first two requests and never responds to them. */
async function openHangingSink(): Promise<IngestSink> {
  const sink = await IngestSink.open();
  sink.answer = (_, index) => (index < 2 ? { hang: true } : {});
  return sink;
}

/** Expects that each record is stored once. When time is short, others are tried after the first failure. */
function expectAllDelivered({ events }: IngestSink): void {
  const numbers = events.map(({ attributes }) => Number(attributes.n));
  expect(numbers.sort((a, b) => a - b)).toEqual(ALL);
}

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

function startNode(words: readonly string[], env: Record<string, string>): Program {
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', LOGCLIENT_DISCOVERY: 'off', ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code, stderr }));
  return { child, ended };
}

/** Closes stdin of the program after the service's first request, and waits for its exit. */
async function endAfterFirstRequest(sink: IngestSink, { child, ended }: Program, input = '') {
  try {
    await eventually(() => expect(sink.requests).not.toEqual([]));
    child.stdin?.end(input);
    return { ...(await ended), sink };
  } finally {
    child.kill('SIGKILL');
    await sink.close();
  }
}

/** Logs until the service has its first request, logs the same number again, and ends. */
async function logAndEnd(logging: string, ending: string) {
  const sink = await openHangingSink();
  const settings = {
    url: sink.url,
    logging,
    ending,
    count: COUNT,
    more: { ...BATCH, closeTimeoutMs: 9_000 },
    pauses: true,
  };
  return endAfterFirstRequest(sink, startNode([FIXTURE], { SETTINGS: JSON.stringify(settings) }));
}

const IN_PROCESS = [
  'createPinoStream',
  'winston in-process',
  'LogLayer in-process',
  'console in-process',
  'Ingester',
];
const WORKERS = [
  'pino.transport',
  'createPinoTransport',
  'winston worker',
  'LogLayer worker',
  'console worker',
];

/** For a worker, the natural end of a process is the same as `process.exit()`. */
const PROGRAMS = [
  ...IN_PROCESS.flatMap((logging) => ['natural', 'end', 'exit'].map((ending) => ({ logging, ending }))),
  ...WORKERS.flatMap((logging) => ['end', 'exit'].map((ending) => ({ logging, ending }))),
];

describe.concurrent('A service that never responds to its first two requests', () => {
  it.each(PROGRAMS)('gets every record once: $logging, process end: $ending', async ({ logging, ending }) => {
    const { code, stderr, sink } = await logAndEnd(logging, ending);
    expect({ code, stderr }).toEqual({ code: ending === 'natural' ? 0 : 3, stderr: '' });
    expectAllDelivered(sink);
  });

  it('gets every record once from logclient ingest at the end of stdin', async () => {
    const sink = await openHangingSink();
    const program = startNode([CLI_FILE, 'ingest', '--quiet', '--timeout', '2'], {
      LOGSCALE_URL: sink.url,
      LOGSCALE_INGEST_TOKEN: 'token-of-the-child',
    });
    const lines = ALL.map((n) => `{"n":${n}}\n`);
    program.child.stdin?.write(lines.slice(0, COUNT / 2).join(''));
    const { code, stderr } = await endAfterFirstRequest(sink, program, lines.slice(COUNT / 2).join(''));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectAllDelivered(sink);
  });
});
