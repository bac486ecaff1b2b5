import { describe, expect, it, vi } from 'vitest';
import { type EndedProgram, type Ending, runEnding } from '../helpers/ending-program.ts';
import { FORMS, shareOf } from '../helpers/matrix.ts';

/** Each of these is a child process, often with a worker. */
vi.setConfig({ maxConcurrency: 3 });

/** pino closes its worker before the last `exit` listeners, and needs timers to do so. */
const LOST_BY_PINO =
  /exit listener.*process\.exit|process\.exit.*exit listener|fake timers|that logs|listener throws/;

const WAIT = { ending: 'wait for a signal' };
/** A second after Ctrl-C can be too short for the start of pino's worker. */
const WARM = { ...WAIT, isWarm: true };

/** Runs a program again if the machine has paused for most of the second after Ctrl-C. */
async function runDelivered(form: string, ending: Ending, runs = 4): Promise<EndedProgram> {
  const outcome = await runEnding(form, ending);
  const isPaused = ending.signals?.includes('SIGINT') === true && OUT_OF_TIME.test(outcome.stderr);
  return isPaused && runs > 1 ? runDelivered(form, ending, runs - 1) : outcome;
}

const OUT_OF_TIME = /not delivered before close\. Last failure: no response within \d+ ms/;

const COMPANY = [
  'signal-exit 3',
  'signal-exit 4',
  'signal-exit 4 that is removed when it should hear the signal',
  'proper-lockfile',
  'execa',
  'write-file-atomic',
  'fake timers',
  'its own handler',
  'a handler that sends the signal again',
  'a handler that is added a moment later',
  'a handler that ends all work',
];

/** The service works. Every record arrives. */
const DELIVERED: Readonly<Record<string, Ending>> = {
  'a natural end': { ending: 'natural' },
  'process.exit()': { ending: 'exit' },
  'an uncaught exception': { ending: 'throw' },
  'an unhandled rejection': { ending: 'reject' },
  'an exception that the program survives, then process.exit()': { ending: 'survive an error', late: 1 },
  SIGTERM: { ...WAIT, signals: ['SIGTERM'] },
  SIGINT: { ...WARM, signals: ['SIGINT'] },
  'SIGINT twice within 5 ms': { ...WARM, signals: ['SIGINT', 'SIGINT'] },
  'SIGTERM twice within 5 ms': { ...WAIT, signals: ['SIGTERM', 'SIGTERM'] },
  'SIGTERM, then SIGINT within 5 ms': { ...WARM, signals: ['SIGTERM', 'SIGINT'] },
  ...Object.fromEntries(
    COMPANY.map((company) => [
      `SIGTERM with ${company}`,
      { ...WAIT, company: [company], signals: ['SIGTERM'] } satisfies Ending,
    ]),
  ),
  'SIGTERM twice with signal-exit 3 and 4': {
    ...WAIT,
    company: ['signal-exit 3', 'signal-exit 4'],
    signals: ['SIGTERM', 'SIGTERM'],
  },
  'SIGTERM, then SIGHUP within 100 ms': {
    ...WAIT,
    service: () => ({ delayMs: 1_000 }),
    signals: ['SIGTERM', 'SIGHUP'],
    gapMs: 100,
  },
  'SIGTERM with signal-exit 4 that logs': {
    ...WAIT,
    company: ['signal-exit 4 that logs'],
    signals: ['SIGTERM'],
    late: 1,
  },
  'an uncaught exception whose listener throws': { ending: 'throw in a listener for exceptions', late: 1 },
  'SIGTERM with a handler that is added before a slow service responds': {
    ...WAIT,
    service: () => ({ delayMs: 500 }),
    company: ['a handler that is added a moment later'],
    signals: ['SIGTERM'],
  },
  'an exit listener that logs and throws': { ending: 'throw in an exit listener', late: 1 },
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

const DOWN = { service: () => ({ status: 503 }), more: { closeTimeoutMs: 500 } };
const HANGING = { service: () => ({ hang: true }), more: { closeTimeoutMs: 500 } };
const SIGTERM_DOWN = { ...WAIT, ...DOWN, signals: ['SIGTERM'] } as const;

/** The service accepts nothing. Every record is reported as dropped, in time. */
const DROPPED: Readonly<Record<string, Ending>> = {
  'a natural end': { ...DOWN, ending: 'natural' },
  'process.exit()': { ...DOWN, ending: 'exit' },
  'an uncaught exception': { ...DOWN, ending: 'throw' },
  SIGTERM: SIGTERM_DOWN,
  'SIGTERM twice within 5 ms': { ...SIGTERM_DOWN, signals: ['SIGTERM', 'SIGTERM'] },
  'SIGTERM with signal-exit 4': { ...SIGTERM_DOWN, company: ['signal-exit 4'] },
  'SIGTERM with a handler that ends all work': {
    ...SIGTERM_DOWN,
    company: ['a handler that ends all work'],
  },
  'SIGTERM to a service that never responds': { ...WAIT, ...HANGING, signals: ['SIGTERM'] },
  'SIGINT to a service that never responds': {
    ...WARM,
    ...HANGING,
    more: { closeTimeoutMs: 9_000 },
    signals: ['SIGINT'],
  },
  'records logged in an exit listener after process.exit()': {
    ...DOWN,
    ending: 'log in an exit listener, then exit',
    late: 2,
  },
  'process.exit() with a fake clock': { ...DOWN, ending: 'exit', company: ['a fake clock'] },
  'the end of a worker thread': { ...DOWN, ending: 'natural', inThread: true },
  'process.exit() in a worker thread': { ...HANGING, ending: 'exit', inThread: true },
  'a flush': { ...DOWN, ending: 'flush' },
};

const controls = new Map<string, Promise<EndedProgram>>();

/** The same program without a logger. */
function control(name: string, ending: Ending): Promise<EndedProgram> {
  const signals = ending.signals?.slice(0, 1) ?? [];
  const run = controls.get(name) ?? runEnding('none', { ...ending, signals });
  controls.set(name, run);
  return run;
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** These also record the crash. */
function capturesCrashes(form: string): boolean {
  return form.startsWith('console') || form === 'logclient/auto';
}

/** Together, they would take longer than both transports may. */
const BOTH_HANG = { ...HANGING, more: { closeTimeoutMs: 5_000 } };

it.each<[string, Ending]>([
  ['a natural end', { ...BOTH_HANG, ending: 'natural' }],
  [
    'a natural end with an exit listener that logs',
    { ...BOTH_HANG, ending: 'log in an exit listener', late: 2 },
  ],
  ['process.exit()', { ...BOTH_HANG, ending: 'exit' }],
  ['SIGTERM', { ...BOTH_HANG, ...WAIT, signals: ['SIGTERM'] }],
])('a worker and the main thread deliver at the same time: %s', async (_, ending) => {
  const outcome = await runEnding('both copies', ending);
  expect(outcome, outcome.stderr).toMatchObject({ numbers: [], dropped: 200 + (ending.late ?? 0) });
  expect(outcome.tookMs).toBeLessThan(9_500);
});

/** The response times of a flush add up to more than both time limits of its end. */
const SLOW = { count: 12, more: { closeTimeoutMs: 2_500, maxBatchRecords: 1 }, delayMs: 600 };

describe.concurrent.each(FORMS)('%s', (form) => {
  /** The environment can't set the options of this test. */
  const takesOptions = form !== 'logclient/auto';

  it.each(shareOf(form, Object.entries(DELIVERED)))(
    'delivers every record and keeps the exit status: %s',
    async (name, ending) => {
      const { count = 200, late = 0, signals = [] } = ending;
      const outcome = await runDelivered(form, ending);
      const { code, signal, stderr } = await control(name, ending);
      const isPair = new Set(signals).size > 1;
      expect(outcome, outcome.stderr).toMatchObject({
        code,
        signal: isPair ? expect.toBeOneOf([...signals]) : signal,
      });
      expect(outcome.stderr).not.toContain('logclient:');
      // Of a crash: the line that has thrown.
      expect(outcome.stderr.split('\n')[0]).toBe(stderr.split('\n')[0]);
      if (form === 'pino.transport' && LOST_BY_PINO.test(name)) return;
      // A batch whose acknowledgment the handler does not wait for arrives twice.
      const isCut = name === 'SIGTERM with its own handler';
      const received = isCut ? [...new Set(outcome.numbers)] : outcome.numbers;
      expect(received.toSorted((a, b) => a - b)).toEqual(upTo(count + late));
    },
  );

  it.each(shareOf(form, Object.entries(DROPPED)))(
    'reports every record that an outage loses, and ends in time: %s',
    async (name, ending) => {
      const outcome = await runEnding(form, ending);
      const { code, signal } = await control(name, ending);
      expect(outcome, outcome.stderr).toMatchObject({ code, signal, numbers: [] });
      expect(outcome.tookMs).toBeLessThan(9_500);
      const isLost = form === 'pino.transport' && LOST_BY_PINO.test(name);
      const late = isLost ? 0 : (ending.late ?? 0);
      const crashes = capturesCrashes(form) && ending.ending === 'throw' ? 1 : 0;
      expect(outcome.dropped, outcome.stderr).toBe(200 + late + crashes);
    },
  );

  it.skipIf(form === 'pino.transport')(
    'SIGTERM ends a program that goes on logging, and loses nothing',
    async () => {
      const outcome = await runEnding(form, {
        ending: 'log until a signal',
        service: () => ({ delayMs: 300 }),
        signals: ['SIGTERM'],
      });
      expect(outcome, outcome.stderr).toMatchObject({ signal: 'SIGTERM', stderr: '' });
      const last = Number(outcome.steps.at(-1)?.last ?? 200);
      expect(new Set(outcome.numbers)).toEqual(new Set(upTo(last)));
      expect(outcome.tookMs).toBeLessThan(8_500);
    },
  );

  it.runIf(takesOptions && form !== 'pino.transport')(
    'process.exit() ends if hooks log in an outage',
    async () => {
      const outcome = await runEnding(form, { ...DOWN, ending: 'exit', hooksLog: true });
      expect(outcome, outcome.stderr).toMatchObject({ code: 3, signal: null, numbers: [] });
    },
  );

  it.runIf(takesOptions)('a flush in an outage closes nothing: later records are delivered', async () => {
    let isDown = true;
    const outcome = await runEnding(form, {
      ending: 'flush, then log',
      more: { closeTimeoutMs: 3_000 },
      service: () => (isDown ? { status: 503 } : {}),
      onStep: (step) => {
        if (step === 'flushed') isDown = false;
      },
    });
    expect(outcome, outcome.stderr).toMatchObject({ code: 0, dropped: 0 });
    expect(outcome.numbers.toSorted((a, b) => a - b)).toEqual(upTo(201));
  });

  it.runIf(takesOptions)('a flush lasts as long as a slow service accepts records', async () => {
    const { count, more, delayMs } = SLOW;
    const outcome = await runEnding(form, {
      ending: 'flush, then log',
      count,
      more,
      service: () => ({ delayMs }),
    });
    expect(outcome, outcome.stderr).toMatchObject({ code: 0, dropped: 0 });
    expect(outcome.numbers.toSorted((a, b) => a - b)).toEqual(upTo(count + 1));
  });

  // pino blocks the main thread while its worker ends.
  it.runIf(takesOptions && form !== 'pino.transport')(
    'a second signal after a second ends the process at once',
    async () => {
      const more = { closeTimeoutMs: 9_000 };
      const signals = ['SIGTERM', 'SIGTERM'] as const;
      const outcome = await runEnding(form, { ...WAIT, ...HANGING, more, signals, gapMs: 1_000 });
      expect(outcome, outcome.stderr).toMatchObject({ signal: 'SIGTERM', dropped: 0 });
      expect(outcome.tookMs).toBeLessThan(8_500);
    },
  );

  it.runIf(takesOptions)('a second SIGINT after 400 ms ends the process at once', async () => {
    const more = { closeTimeoutMs: 9_000 };
    const signals = ['SIGINT', 'SIGINT'] as const;
    const outcome = await runEnding(form, { ...WAIT, ...HANGING, more, signals, gapMs: 400 });
    expect(outcome, outcome.stderr).toMatchObject({ signal: 'SIGINT', dropped: 0 });
  });

  describe.runIf(takesOptions)('with flushOnSignals: false', () => {
    it.each(['SIGTERM', 'SIGINT'] as const)('leaves %s to the system', async (signal) => {
      const more = { flushOnSignals: false, closeTimeoutMs: 9_000 };
      const outcome = await runEnding(form, { ...WAIT, ...HANGING, more, signals: [signal] });
      expect(outcome, outcome.stderr).toMatchObject({ signal, dropped: 0 });
      expect(outcome.tookMs).toBeLessThan(8_500);
    });
  });
});
