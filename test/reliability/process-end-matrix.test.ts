import { describe, expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';

const ALL = Array.from({ length: 1_000 }, (_, index) => index + 1);

const MODES = [
  'pino worker',
  'pino own worker',
  'pino in-process',
  'winston worker',
  'winston in-process',
] as const;

/** How a process ends that logged a moment ago, and what its parent sees of that. */
const ENDINGS: Readonly<Record<string, Pick<NodeRun, 'code' | 'signal'>>> = {
  natural: { code: 0, signal: null },
  exit: { code: 3, signal: null },
  'exit later': { code: 3, signal: null },
  throw: { code: 1, signal: null },
  reject: { code: 1, signal: null },
  end: { code: 3, signal: null },
  flush: { code: null, signal: 'SIGKILL' },
  'kill on SIGTERM': { code: null, signal: 'SIGTERM' },
  'kill on SIGINT': { code: null, signal: 'SIGINT' },
  'handle a signal on SIGTERM': { code: 4, signal: null },
};

/** What the service does meanwhile. */
const SERVICES: Readonly<Record<string, IngestSink['answer']>> = {
  healthy: () => ({}),
  'fails once': (_, index) => (index === 0 ? { status: 503 } : {}),
  'resets once': (_, index) => (index === 0 ? { reset: true } : {}),
  'fails for ever': () => ({ status: 503 }),
  hangs: () => ({ hang: true }),
};

const HOPELESS = ['fails for ever', 'hangs'];

/** All combinations take minutes; these are the ones that differ. FULL_MATRIX=yes runs all. */
const RUN_BY_SERVICE: Readonly<Record<string, readonly string[]>> =
  process.env.FULL_MATRIX === 'yes'
    ? Object.fromEntries(Object.keys(SERVICES).map((service) => [service, Object.keys(ENDINGS)]))
    : {
        'fails once': Object.keys(ENDINGS),
        'resets once': ['exit', 'kill on SIGTERM'],
        'fails for ever': ['exit'],
        hangs: ['natural', 'exit', 'flush', 'kill on SIGINT'],
      };

interface Outcome extends NodeRun {
  /** The numbers of the records that were delivered. */
  readonly numbers: unknown[];
  /** How long the end took. */
  readonly tookMs: number;
}

/** Runs a program that logs a thousand records and ends. */
async function run(logging: string, ending: string, service: string): Promise<Outcome> {
  const sink = await IngestSink.open();
  sink.answer = SERVICES[service]!;
  const more = { closeTimeoutMs: HOPELESS.includes(service) ? 500 : 9_000 };
  const settings = { url: sink.url, count: ALL.length, logging, ending, more };
  try {
    const result = await runNode('test/fixtures/log-and-end.mjs', { SETTINGS: JSON.stringify(settings) });
    const endedAt = Date.now();
    const numbers = sink.events.map(({ attributes }) => attributes.n);
    return { ...result, numbers, tookMs: endedAt - Number(result.stdout) };
  } finally {
    await sink.close();
  }
}

/** What the package said. */
function linesOf({ stderr }: NodeRun): string[] {
  return stderr.split('\n').filter((line) => line.startsWith('logclient:'));
}

describe.each(Object.entries(RUN_BY_SERVICE))('when the service %s', (service, endings) => {
  describe.concurrent.each(MODES)('with the %s', (logging) => {
    it.each(endings)('a process loses nothing in silence at the ending: %s', async (ending) => {
      const outcome = await run(logging, ending, service);
      expect(outcome).toMatchObject(ENDINGS[ending]!);
      expect(outcome.stdout + outcome.stderr).not.toContain('token-of-the-child');
      if (!HOPELESS.includes(service)) {
        expect(outcome.numbers).toEqual(ALL);
        expect(linesOf(outcome)).toEqual([]);
      } else if (ending !== 'flush') {
        expect(outcome.tookMs).toBeLessThan(9_500);
        const losses = linesOf(outcome).filter((line) => line.includes('dropped'));
        expect(losses).toEqual([expect.stringMatching(/^logclient: 1000 records were dropped: /)]);
      }
    });
  });
});
