import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ending, runEnding } from '../helpers/ending-program.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

const WAIT: Ending = { ending: 'wait for a signal' };
const ALL = Array.from({ length: 200 }, (_, index) => index + 1);
const FIRST_PROCESS = ['unshare', '-Urpf', '--mount-proc'];

function canBeFirstProcess(): boolean {
  try {
    execFileSync(FIRST_PROCESS[0]!, [...FIRST_PROCESS.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.each(['createPinoStream', 'createPinoTransport', 'winston worker', 'pino.transport'])(
  '%s',
  (form) => {
    it.runIf(canBeFirstProcess())(
      'delivers at SIGTERM and exits with status 143 as the first process of a container',
      async () => {
        const ending = { ending: 'wait for a signal from a child' };
        const outcome = await runEnding(form, ending, { command: [...FIRST_PROCESS, process.execPath] });
        expect(outcome, outcome.stderr).toMatchObject({ code: 143, numbers: ALL, stderr: '' });
      },
    );

    it('delivers at SIGHUP and exits with status 129 on a system that sends no signals', async () => {
      const company = ['a system that sends no signals'];
      const more = { flushOnSignals: ['SIGHUP'] };
      const outcome = await runEnding(form, { ...WAIT, company, more, signals: ['SIGHUP'] });
      expect(outcome, outcome.stderr).toMatchObject({ code: 129, numbers: ALL, stderr: '' });
    });

    it('starts delivery at SIGTERM after all listeners of the process have run', async () => {
      let isHeard = false;
      const outcome = await runEnding(form, {
        ...WAIT,
        company: ['a hidden listener, like that of tsx'],
        service: () => (isHeard ? {} : { status: 503 }),
        onStep: (step) => {
          isHeard ||= step === 'heard';
        },
        signals: ['SIGTERM'],
      });
      expect(outcome, outcome.stderr).toMatchObject({ signal: 'SIGTERM', dropped: 0 });
      expect(outcome.numbers.toSorted((a, b) => a - b)).toEqual(ALL);
    });

    it('delivers the records of a cluster at SIGTERM to its primary process', async () => {
      const outcome = await runEnding(form, { ...WAIT, company: ['a cluster'], signals: ['SIGTERM'] });
      expect(outcome, outcome.stderr).toMatchObject({ signal: 'SIGTERM', stderr: '' });
      const twice = ALL.flatMap((n) => [n, n]);
      expect(outcome.numbers.toSorted((a, b) => a - b)).toEqual(twice);
    });
  },
);

it.each(['createPinoTransport', 'createPinoStream', 'LogTransport', 'a garbage-collected LogTransport'])(
  '%s: delivers at SIGTERM what it has not delivered when it closes',
  async (way) => {
    const sink = await IngestSink.open();
    sink.answer = ({ groups }, index) => {
      if (index > 0) return {};
      process.kill(Number(groups[0]?.events[0]?.attributes.pid), 'SIGTERM');
      return { status: 503 };
    };
    const env = { WAY: way, LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token' };
    const { signal } = await runNode('test/fixtures/signal-while-closing.mjs', env);
    await sink.close();
    expect({ signal, delivered: sink.events.length }).toEqual({ signal: 'SIGTERM', delivered: 1 });
  },
);

it('pino.transport: a flush at SIGTERM counts for the exit of a program that handles it, in an outage', async () => {
  const outcome = await runEnding('pino.transport', {
    ...WAIT,
    isWarm: true,
    more: { closeTimeoutMs: 5_000 },
    service: () => ({ status: 503 }),
    company: ['a handler that ends all work'],
    signals: ['SIGTERM'],
  });
  expect(outcome, outcome.stderr).toMatchObject({ code: 0, dropped: 200 });
  expect(outcome.tookMs).toBeLessThan(9_500);
});

it('SIGTERM ends a process at once if no address is set and no server listens at the default one', async () => {
  const started = Date.now();
  const { signal, stderr } = await runNode('test/fixtures/sigterm-without-address.mjs', {
    LOGSCALE_INGEST_TOKEN: 'token',
  });
  expect({ signal }).toEqual({ signal: 'SIGTERM' });
  expect(stderr).toMatch(/^logclient: 1 record was dropped: .*\n$/m);
  expect(Date.now() - started).toBeLessThan(4_500);
});

it('A program that sends itself the signal again after its cleanup, as Nest does, exits with the signal', async () => {
  const env = { LOGSCALE_URL: 'http://127.0.0.1:9', LOGSCALE_INGEST_TOKEN: 'token' };
  const { code, signal } = await runNode('test/fixtures/signal-again.mjs', env);
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGTERM' });
});

it.each(['SIGTERM', 'SIGINT'])(
  'pino.transport: what is logged after %s is counted, all before it arrives, and a file has both',
  async (name) => {
    const sink = await IngestSink.open();
    const folder = mkdtempSync(join(tmpdir(), 'logclient-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = { SIGNAL: name, LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token' };
    const FILE = join(folder, 'app.log');
    const { signal, stdout, stderr } = await runNode('test/fixtures/log-after-signal.mjs', { ...env, FILE });
    await sink.close();
    const [, dropped = 0] =
      /^logclient: (\d+) records? w\w+ dropped: logged after the signal\.\n$/.exec(stderr) ?? [];
    const logged = stdout.trim().split('\n').length;
    const lost = logged - sink.events.length - Number(dropped);
    const inFile = readFileSync(FILE, 'utf8').trim().split('\n').length;
    expect({ signal, stderr, lost, inFile }).toMatchObject({ signal: name, lost: 0, inFile: logged });
  },
);
