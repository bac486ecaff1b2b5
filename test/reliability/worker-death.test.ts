import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

const PRELOADED = resolve(import.meta.dirname, '../fixtures/fail-in-worker.cjs');

interface Heard {
  readonly drops: number;
  readonly hooked: number;
  readonly warnings: readonly string[];
  readonly stats: {
    readonly accepted: number;
    readonly delivered: number;
    readonly dropped: { readonly closed: number };
    readonly queuedRecords: number;
    readonly inFlightRecords: number;
  };
}

interface Outcome {
  readonly numbers: unknown[];
  readonly levels: Set<unknown>;
  readonly heard: Heard;
  readonly ending: string;
  readonly stderr: string;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

async function run(logging: string, failure: string): Promise<Outcome> {
  const sink = await IngestSink.open();
  let isOutage = false;
  sink.answer = ({ path, groups }) => {
    const numbers = groups.flatMap(({ events }) => events.map(({ attributes }) => attributes.n));
    if (failure === 'in flight' && numbers.includes(100)) return { hang: true };
    if (path === '/requests') return { body: JSON.stringify(sink.requests.length) };
    if (path === '/outage' || path === '/service') isOutage = path === '/outage';
    else if (isOutage) return { status: 503 };
    return {};
  };
  try {
    const { code, stdout, stderr } = await runNode('test/fixtures/worker-dies.mjs', {
      SETTINGS: JSON.stringify({ url: sink.url, logging, failure }),
      NODE_OPTIONS: `--require ${PRELOADED}`,
    });
    if (code !== 0) throw new Error(`The program ended with ${code}: ${stderr}`);
    const [heard = '', ending = ''] = stdout.split('\n');
    return {
      numbers: sink.events.map(({ attributes }) => attributes.n),
      levels: new Set(sink.events.map(({ attributes }) => attributes.level)),
      heard: JSON.parse(heard),
      ending,
      stderr,
    };
  } finally {
    await sink.close();
  }
}

async function runPinosOwn(failure: string, isHeard: boolean) {
  const sink = await IngestSink.open();
  try {
    const { code, stdout, stderr } = await runNode('test/fixtures/pino-worker-dies.mjs', {
      SETTINGS: JSON.stringify({ url: sink.url, failure, isHeard }),
      NODE_OPTIONS: `--require ${PRELOADED}`,
    });
    return { code, stdout, stderr, numbers: sink.events.map(({ attributes }) => attributes.n) };
  } finally {
    await sink.close();
  }
}

describe("pino's own worker", () => {
  it.each([
    ['exit', 'the worker thread exited'],
    ['throw', 'thrown on purpose'],
  ])(
    'emits an error when it exits (%s), and for each later line; flush still calls back',
    async (failure, message) => {
      const { code, stdout, stderr, numbers } = await runPinosOwn(failure, true);
      expect([code, stderr]).toEqual([0, '']);
      const later = Array.from({ length: 3 }, () => 'the worker has exited');
      expect(JSON.parse(stdout)).toEqual({ errors: [message, ...later], flushed: 'the worker has exited' });
      expect(numbers).toEqual([1]);
    },
  );

  it('ends the program when it exits and no error listener is set', async () => {
    const { code, stderr, numbers } = await runPinosOwn('exit', false);
    expect([code, numbers]).toEqual([1, [1]]);
    expect(stderr).toContain('the worker thread exited');
  });

  it('ends the program when it is out of memory', async () => {
    const { code, stderr, numbers } = await runPinosOwn('memory', true);
    expect([code, numbers]).toEqual([1, [1]]);
    expect(stderr).toContain('ERR_WORKER_OUT_OF_MEMORY');
  });
});

describe.each(['pino', 'winston'])('The worker of a %s transport', (logging) => {
  it.each(['exit', 'throw', 'memory'])(
    'is replaced when it exits (%s), and no record is lost that it had not read',
    async (failure) => {
      const { numbers, levels, heard, ending, stderr } = await run(logging, failure);
      expect(numbers).toEqual([1, ...upTo(200).slice(100)]);
      expect([...levels]).toEqual(['notice']);
      expect(heard.warnings).toHaveLength(1);
      expect(stderr).toContain('logclient: The worker thread ended (');
      expect(stderr.split('\n').filter((line) => line.startsWith('logclient:'))).toHaveLength(1);
      expect(heard).toMatchObject({ drops: 0, hooked: 0, stats: { accepted: 101, delivered: 101 } });
      expect(ending).toBe('closed');
    },
  );

  it('is replaced when it is killed before it has read the lines, and nothing is lost', async () => {
    const { numbers, heard, ending, stderr } = await run(logging, 'terminate');
    expect(numbers).toEqual(upTo(200));
    expect(stderr).toMatch(/^logclient: The worker thread ended .*main thread instead\.\n$/);
    expect(heard).toMatchObject({ drops: 0, stats: { accepted: 200, delivered: 200 } });
    expect(ending).toBe('closed');
  });

  it('is replaced when it is killed after an acknowledgment, and only the records in flight are lost', async () => {
    const { numbers, heard, stderr } = await run(logging, 'in flight');
    expect(numbers).toEqual(upTo(200).filter((n) => n !== 100));
    expect(stderr).toMatch(/The worker thread ended .* lost: at most 1\.\n$/);
    expect(heard).toMatchObject({ drops: 1, hooked: 1, stats: { accepted: 200, delivered: 199 } });
  });

  it('is replaced when it is killed in an outage, and the lines it had read are reported once', async () => {
    const { numbers, heard, stderr } = await run(logging, 'in outage');
    expect(numbers).toEqual([1, ...upTo(200).slice(100)]);
    expect(stderr).toMatch(/The worker thread ended .* lost: at most 99\.\n$/);
    expect(heard).toMatchObject({
      drops: 99,
      hooked: 99,
      stats: { accepted: 200, delivered: 101, dropped: { closed: 99 }, queuedRecords: 0, inFlightRecords: 0 },
    });
  });
});
