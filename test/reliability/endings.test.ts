import { describe, expect, it, vi } from 'vitest';
import { transports } from '../fixtures/transports.mjs';
import { type EndedProgram, type Ending, runEnding } from '../helpers/ending-program.ts';

/** Each of these is a child process, often with a worker. */
vi.setConfig({ maxConcurrency: 3 });

const FORMS = [...Object.keys(transports), 'both copies', 'logclient/auto'];

/** pino closes its worker before the last `exit` listeners, and needs timers to do so. */
const LOST_BY_PINO = /exit listener.*process\.exit|process\.exit.*exit listener|fake timers/;

const WAIT = { ending: 'wait for a signal' };
const BOTH_SIGNALS = { more: { flushOnSignals: true } };

/** The service works. Every record arrives. */
const DELIVERED: Readonly<Record<string, Ending>> = {
  'a natural end': { ending: 'natural' },
  'process.exit()': { ending: 'exit' },
  'an uncaught exception': { ending: 'throw' },
  'an unhandled rejection': { ending: 'reject' },
  'an exception that the program survives, then process.exit()': { ending: 'survive an error', late: 1 },
  SIGTERM: { ...WAIT, signals: ['SIGTERM'] },
  'SIGINT with flushOnSignals: true': { ...WAIT, ...BOTH_SIGNALS, signals: ['SIGINT'] },
  'SIGTERM twice within 5 ms': { ...WAIT, signals: ['SIGTERM', 'SIGTERM'] },
  'SIGTERM, then SIGINT within 5 ms': { ...WAIT, ...BOTH_SIGNALS, signals: ['SIGTERM', 'SIGINT'] },
  ...Object.fromEntries(
    [
      'signal-exit 3',
      'signal-exit 4',
      'proper-lockfile',
      'execa',
      'write-file-atomic',
      'fake timers',
      'its own handler',
      'a handler that sends the signal again',
      'a handler that ends all work',
    ].map((company) => [`SIGTERM with ${company}`, { ...WAIT, company: [company], signals: ['SIGTERM'] }]),
  ),
  'SIGTERM with signal-exit 3 and 4': {
    ...WAIT,
    company: ['signal-exit 3', 'signal-exit 4'],
    signals: ['SIGTERM', 'SIGTERM'],
  },
  'process.exit() with signal-exit 3 and 4': { ending: 'exit', company: ['signal-exit 3', 'signal-exit 4'] },
  'records logged in an exit listener': { ending: 'log in an exit listener', late: 2 },
  'records logged in an exit listener after process.exit()': {
    ending: 'log in an exit listener, then exit',
    late: 2,
  },
  'process.exit() in an exit listener that logs': { ending: 'exit in an exit listener', late: 2 },
  'the end of a worker thread': { ending: 'natural', inThread: true },
  'process.exit() in a worker thread': { ending: 'exit', inThread: true },
  'an uncaught exception in a worker thread': { ending: 'throw', inThread: true },
  'a flush': { ending: 'flush' },
  'a flush and another record': { ending: 'flush, then log', late: 1 },
};

const controls = new Map<string, Promise<EndedProgram>>();

/** The same program without a logger. */
function control(name: string, ending: Ending): Promise<EndedProgram> {
  const run =
    controls.get(name) ?? runEnding('none', { ...ending, signals: ending.signals?.slice(0, 1) ?? [] });
  controls.set(name, run);
  return run;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe.concurrent.each(FORMS)('%s', (form) => {
  it.each(Object.entries(DELIVERED))(
    'delivers every record and keeps the exit status: %s',
    async (name, ending) => {
      const { count = 200, late = 0, signals = [] } = ending;
      const outcome = await runEnding(form, ending);
      const { code, signal } = await control(name, ending);
      const endsFirst = new Set(signals).size > 1 ? expect.toBeOneOf(signals) : signal;
      expect(outcome, outcome.stderr).toMatchObject({ code, signal: endsFirst });
      expect(outcome.stderr).not.toContain('logclient:');
      if (form === 'pino.transport' && LOST_BY_PINO.test(name)) return;
      expect(outcome.numbers.toSorted((a, b) => a - b)).toEqual(numbers(count + late));
    },
  );
});
