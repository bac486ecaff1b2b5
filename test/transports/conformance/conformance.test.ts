import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { IngesterStats } from '../../../src/ingest/report/ingester-stats.ts';
import { transports } from '../../fixtures/transports.mjs';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { shareOf } from '../../helpers/matrix.ts';
import { type NodeRun, runNode } from '../../helpers/run-node.ts';

/** Each of these is a child process, often with a worker. */
vi.setConfig({ maxConcurrency: 3 });

const TRANSPORTS = Object.keys(transports);

/** Both formats share everything except the request, so one transport runs all endings with `hec`. */
const BY_ENDING = [...TRANSPORTS.map((logging) => [logging, 'structured']), ['createPinoTransport', 'hec']];
const BY_RESPONSE = TRANSPORTS.flatMap((logging) => [
  [logging, 'structured'],
  [logging, 'hec'],
]);
const ALL = Array.from({ length: 1_000 }, (_, index) => index + 1);

/** How a process that has just logged ends, with its exit code or signal. */
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

/** How the service responds. */
const SERVICES: Readonly<Record<string, IngestSink['answer']>> = {
  healthy: () => ({}),
  'fails once': (_, index) => (index === 0 ? { status: 503 } : {}),
  'resets once': (_, index) => (index === 0 ? { reset: true } : {}),
  'always fails': () => ({ status: 503 }),
  hangs: () => ({ hang: true }),
};

const HOPELESS = ['always fails', 'hangs'];

/** All combinations take minutes; these differ from each other, and each transport runs its share. FULL_MATRIX=yes runs all. */
const RUN_BY_SERVICE: Readonly<Record<string, readonly string[]>> =
  process.env.FULL_MATRIX === 'yes'
    ? Object.fromEntries(Object.keys(SERVICES).map((service) => [service, endingsWith(service)]))
    : {
        // On SIGINT, there is one second, in which the worker of a busy machine may not even start.
        'fails once': Object.keys(ENDINGS).filter((ending) => ending !== 'kill on SIGINT'),
        'resets once': ['exit', 'kill on SIGTERM'],
        'always fails': ['exit'],
        hangs: ['natural', 'exit', 'flush', 'kill on SIGINT'],
      };

const RUNS = Object.entries(RUN_BY_SERVICE).flatMap(([service, endings]) =>
  endings.map((ending) => [service, ending] as const),
);

/** `exit later` waits for delivery. */
function endingsWith(service: string): string[] {
  return Object.keys(ENDINGS).filter((ending) => ending !== 'exit later' || !HOPELESS.includes(service));
}

interface Program {
  readonly logging: string;
  readonly ending: string;
  readonly answer: IngestSink['answer'];
  readonly count?: number;
  readonly more?: object;
  readonly printsHooks?: boolean;
}

interface Outcome extends NodeRun {
  /** The numbers of the delivered records. */
  readonly numbers: unknown[];
  readonly tookMs: number;
  /** The lines of its output after the one with the time. */
  readonly printed: string[];
}

/** Runs a program that logs a thousand records and ends. */
async function run({ answer, count = ALL.length, ...program }: Program): Promise<Outcome> {
  const sink = await IngestSink.open();
  sink.answer = answer;
  const settings = { url: sink.url, count, ...program };
  try {
    const result = await runNode('test/fixtures/log-and-end.mjs', { SETTINGS: JSON.stringify(settings) });
    const endedAt = Date.now();
    const [endingAt, ...printed] = result.stdout.trim().split('\n');
    // Without the record of a crash.
    const numbers = sink.events.map(({ attributes }) => attributes.n).filter((n) => n !== undefined);
    return { ...result, numbers, printed, tookMs: endedAt - Number(endingAt) };
  } finally {
    await sink.close();
  }
}

/** The package's lines on stderr. */
function linesOf({ stderr }: NodeRun): string[] {
  return stderr.split('\n').filter((line) => line.startsWith('logclient:'));
}

/** The number of records that its lines report as dropped. */
function droppedIn(run: NodeRun): number {
  const drops = linesOf(run).map((line) => / (\d+) records? w.* dropped/.exec(line)?.[1]);
  return drops.reduce((sum, records) => sum + Number(records ?? 0), 0);
}

/** A captured console records the crash as well. */
function crashRecords(logging: string, ending: string): number {
  return logging.startsWith('console') && ['throw', 'reject'].includes(ending) ? 1 : 0;
}

describe.concurrent.each(BY_ENDING)('%s, format %s, at the end of the process', (logging, format) => {
  it.each(shareOf(logging, RUNS))(
    'delivers every record or reports how many were dropped, if the service %s, at the ending: %s',
    async (service, ending) => {
      const isHopeless = HOPELESS.includes(service);
      const more = { format, closeTimeoutMs: isHopeless ? 500 : 9_000 };
      const outcome = await run({ logging, ending, answer: SERVICES[service]!, more });
      expect(outcome).toMatchObject(ENDINGS[ending]!);
      expect(outcome.stdout + outcome.stderr).not.toContain('token-of-the-child');
      if (service !== 'healthy' && ending === 'kill on SIGINT' && !isHopeless) {
        // A second can be too short for a retry.
        expect(outcome.numbers.length + droppedIn(outcome)).toBeGreaterThanOrEqual(ALL.length);
      } else if (!isHopeless) {
        expect(outcome.numbers).toEqual(ALL);
        expect(linesOf(outcome)).toEqual([]);
      } else if (ending !== 'flush' && !(logging === 'pino.transport' && ending === 'kill on SIGINT')) {
        expect(outcome.tookMs).toBeLessThan(9_500);
        const losses = linesOf(outcome).filter((line) => line.includes('dropped'));
        const records = ALL.length + crashRecords(logging, ending);
        expect(losses).toEqual([expect.stringContaining(`: ${records} records were dropped: `)]);
      }
    },
  );

  describe.skipIf(logging === 'pino.transport')('if the service hangs', () => {
    it.each(['natural', 'exit', 'throw'])(
      'calls onDrop and onWarning instead of writing to stderr, at the ending: %s',
      async (ending) => {
        const program = { logging, ending, answer: SERVICES.hangs!, count: 5, printsHooks: true };
        const outcome = await run({ ...program, more: { format, closeTimeoutMs: 300 } });
        expect(outcome).toMatchObject(ENDINGS[ending]!);
        expect(linesOf(outcome)).toEqual([]);
        const records = 5 + crashRecords(logging, ending);
        const dropped = { overflow: 0, rejected: 0, closed: records };
        expect(JSON.parse(outcome.printed[0]!)).toMatchObject({
          drops: [{ reason: 'closed', records }],
          warnings: ['closed'],
          stats: { accepted: records, delivered: 0, dropped, queuedRecords: 0, inFlightRecords: 0 },
        });
      },
    );
  });

  it('exits in an outage when only a flush is left', async () => {
    const program = { logging, ending: 'flush only', answer: SERVICES['always fails']!, count: 1 };
    const outcome = await run({ ...program, more: { format, closeTimeoutMs: 200 } });
    expect(outcome).toMatchObject({ code: 0, numbers: [], printed: ['flushed'] });
    expect(outcome.stderr).toMatch(
      /^(logclient: Records stay queued .*\n)?logclient: 1 record was dropped: .*\n$/,
    );
  });

  it('leaves no active resources after close, and lets the process exit', async () => {
    const program = { logging, ending: 'close', answer: SERVICES.healthy!, count: 1 };
    const outcome = await run({ ...program, more: { format } });
    expect(outcome).toMatchObject({ code: 0, stderr: '', numbers: [1] });
    const [resources, aliveMs] = outcome.printed.map((line) => JSON.parse(line));
    expect(resources).toEqual([]);
    expect(aliveMs).toBeLessThan(30_000); // A connection that is kept for the next request would take longer.
  });

  it('keeps spooled records through SIGKILL, and the next process delivers them', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'logclient-conformance-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const sink = await IngestSink.open();
    onTestFinished(() => sink.close());
    // The spool belongs to the address.
    const more = { format, baseUrl: sink.url, spool: { directory }, closeTimeoutMs: 9_000 };
    sink.answer = () => ({ status: 503 });
    const killed = await run({ logging, ending: 'be killed', answer: () => ({}), count: 100, more });
    expect(killed.signal).toBe('SIGKILL');
    expect(sink.events).toEqual([]);
    sink.answer = () => ({});
    const next = await run({ logging, ending: 'end', answer: () => ({}), count: 1, more });
    expect(next.code).toBe(3);
    const numbers = sink.events.map(({ attributes }) => Number(attributes.n));
    expect(numbers.sort((a, b) => a - b)).toEqual([1, ...ALL.slice(0, 100)]);
  });
});

interface Heard {
  readonly name: string;
  readonly drops: { readonly reason: string; readonly records: number }[];
  readonly warnings: string[];
  readonly recoveries: { readonly outageMs: number; readonly failedAttempts: number }[];
  /** Counters after the flush. */
  readonly flushed: IngesterStats;
}

interface Scenario {
  readonly answer: IngestSink['answer'];
  /** Length of each record's text. */
  readonly texts: readonly number[];
  readonly options?: object;
}

const FEW = Array.from({ length: 40 }, () => 100);

/** Each has its own instance of the transport and its own service. All run in one process. */
const SCENARIOS = {
  outage: { answer: (_, index) => (index < 3 ? { status: 503 } : {}), texts: FEW },
  tooLarge: { answer: ({ bodyBytes }) => (bodyBytes > 2_000 ? { status: 413 } : {}), texts: FEW },
  poison: {
    answer: ({ groups }) => {
      const number = groups.flatMap(({ events }) => events).findIndex(({ attributes }) => attributes.n === 7);
      const body = { text: 'Invalid data format', code: 6, 'invalid-event-number': number };
      return number === -1 ? {} : { status: 400, body: JSON.stringify(body) };
    },
    texts: FEW,
  },
  oversized: { answer: () => ({}), texts: [10, 3_000_000, 10] },
  healthy: { answer: () => ({ delayMs: 50 }), texts: FEW },
} satisfies Record<string, Scenario>;

describe.each(BY_RESPONSE)('%s, format %s', (logging, format) => {
  const results = new Map<string, Heard & { sink: IngestSink; numbers: unknown[] }>();

  beforeAll(async () => {
    const sinks = new Map<string, IngestSink>();
    for (const [name, { answer }] of Object.entries(SCENARIOS)) {
      const sink = await IngestSink.open();
      sink.answer = answer;
      sinks.set(name, sink);
    }
    const instances = Object.entries(SCENARIOS).map(([name, { texts }]) => ({
      name,
      url: sinks.get(name)!.url,
      texts,
    }));
    const env = { SETTINGS: JSON.stringify({ logging, instances, format }) };
    const { code, stdout, stderr } = await runNode('test/fixtures/log-to-several.mjs', env);
    for (const sink of sinks.values()) await sink.close();
    // pino's worker reports warnings on stderr, too.
    const lines = logging === 'pino.transport' ? expect.stringMatching(/^(logclient: .*\n)+$/) : '';
    expect({ code, stderr }).toEqual({ code: 0, stderr: lines });
    for (const heard of JSON.parse(stdout) as Heard[]) {
      const sink = sinks.get(heard.name)!;
      const numbers = sink.events.map(({ attributes }) => attributes.n);
      results.set(heard.name, { ...heard, sink, numbers });
    }
  });

  const resultOf = (name: keyof typeof SCENARIOS) => results.get(name)!;
  const few = FEW.map((_, n) => n);

  it('has delivered everything once flush resolves', () => {
    const { numbers, flushed, drops, warnings, recoveries } = resultOf('healthy');
    expect(numbers).toEqual(few);
    expect(flushed).toMatchObject({ accepted: 40, delivered: 40, queuedRecords: 0, inFlightRecords: 0 });
    expect({ drops, warnings, recoveries }).toEqual({ drops: [], warnings: [], recoveries: [] });
  });

  it('delivers everything in order after an outage, and calls onRecovered', () => {
    const { numbers, flushed, drops, recoveries } = resultOf('outage');
    expect(numbers).toEqual(few);
    expect(flushed).toMatchObject({ accepted: 40, delivered: 40, retried: 3 });
    expect(drops).toEqual([]);
    expect(recoveries).toEqual([{ outageMs: expect.any(Number), failedAttempts: 3 }]);
  });

  it('splits batches that the service rejects as too large, and delivers each record once', () => {
    const { numbers, sink, flushed, drops } = resultOf('tooLarge');
    expect(numbers).toEqual(few);
    expect(sink.requests.some(({ bodyBytes }) => bodyBytes > 2_000)).toBe(true);
    expect(flushed).toMatchObject({ accepted: 40, delivered: 40 });
    expect(drops).toEqual([]);
  });

  it('drops a record that the service rejects, calls onDrop and onWarning, and delivers the others', () => {
    const { numbers, flushed, drops, warnings } = resultOf('poison');
    expect(numbers).toEqual(few.filter((n) => n !== 7));
    expect(flushed).toMatchObject({ accepted: 40, delivered: 39, dropped: { rejected: 1 } });
    expect(drops).toEqual([{ reason: 'rejected', records: 1 }]);
    expect(warnings).toEqual(['rejected']);
  });

  it('truncates an oversized record and delivers the records around it', () => {
    const { numbers, sink, drops } = resultOf('oversized');
    expect(numbers).toEqual([0, 1, 2]);
    const [, { attributes }] = sink.events as [unknown, { attributes: { text: string } }];
    expect(attributes.text).toMatch(/^x{400000,}… \[cut, 3000000 bytes in all\]$/);
    expect(drops).toEqual([]);
  });

  it('keeps the records, tags and tokens of instances separate', () => {
    for (const [name, { sink }] of results) {
      expect(new Set(sink.events.map(({ attributes }) => attributes.name))).toEqual(new Set([name]));
      const tags = sink.requests.flatMap(({ groups }) => groups.map((group) => group.tags));
      expect(tags).toEqual(tags.map(() => ({ instance: name })));
      const tokens = new Set(sink.requests.map(({ headers }) => headers.authorization));
      expect(tokens).toEqual(new Set([`Bearer token-${name}`]));
    }
    expect([...results.keys()].sort()).toEqual(Object.keys(SCENARIOS).sort());
  });
});
