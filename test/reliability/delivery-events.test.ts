import { type EventEmitter, once } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import winston from 'winston';
import type { DeliveryEvents } from '../../src/ingest/report/delivery-event.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';

/** The built package, whose worker files can be loaded. */
type PinoEntry = typeof import('../../transports/pino/index.ts');
type WinstonEntry = typeof import('../../transports/winston/index.ts');
const { createPinoStream, createPinoTransport }: PinoEntry = await import('logclient/pino' as string);
const { LogTransport }: WinstonEntry = await import('logclient/winston' as string);

interface Options {
  baseUrl: string;
  ingestToken: string;
  minRetryDelayMs: number;
}

interface Logging {
  /** The object that the program has and listens to. */
  readonly held: EventEmitter;
  log(n: number): void;
  flush(): Promise<unknown>;
  end(): void;
}

type PinoHeld = EventEmitter & pino.DestinationStream & { flush(callback: () => void): void; end(): void };

function pinoOn(held: PinoHeld): Logging {
  const logger = pino(held);
  return {
    held,
    log: (n) => logger.info({ n }, 'hello'),
    flush: () => new Promise<void>((resolve) => held.flush(resolve)),
    end: () => held.end(),
  };
}

function winstonOn(held: InstanceType<typeof LogTransport>): Logging {
  const logger = winston.createLogger({ transports: [held] });
  return {
    held,
    log: (n) => logger.info('hello', { n }),
    flush: () => held.flush(),
    end: () => logger.end(),
  };
}

const quiet = { onWarning: () => {} };
const ways: [string, (options: Options) => Logging][] = [
  ['pino.transport', (options) => pinoOn(pino.transport({ target: 'logclient/pino', options }))],
  ['createPinoTransport', (options) => pinoOn(createPinoTransport({ ...options, ...quiet }))],
  ['createPinoStream', (options) => pinoOn(createPinoStream({ ...options, ...quiet }))],
  ['LogTransport', (options) => winstonOn(new LogTransport({ ...options, ...quiet }))],
  [
    'LogTransport without a worker',
    (options) => winstonOn(new LogTransport({ ...options, ...quiet, worker: false })),
  ],
];

let sink: IngestSink;
let logging: Logging | undefined;

beforeEach(async () => {
  sink = await IngestSink.open();
});

afterEach(async () => {
  sink.answer = () => ({});
  if (logging !== undefined) {
    const closed = once(logging.held, 'close');
    logging.end();
    await closed;
    logging = undefined;
  }
  await sink.close();
});

function collect<Name extends keyof DeliveryEvents>(held: EventEmitter, name: Name): DeliveryEvents[Name][] {
  const values: DeliveryEvents[Name][] = [];
  held.on(name, (value) => values.push(value));
  return values;
}

describe.each(ways)('Events of the object that %s returns', (way, open) => {
  it('report rejected records, and the counters are exact after a flush', async () => {
    sink.answer = () => ({ status: 400 });
    logging = open({ baseUrl: sink.url, ingestToken: 'token', minRetryDelayMs: 5 });
    const { held } = logging;
    const drops = collect(held, 'drop');
    const warnings = collect(held, 'warn');
    const stats = collect(held, 'stats');
    for (let n = 0; n < 3; n++) logging.log(n);
    await logging.flush();
    expect(new Set(drops.map(({ reason }) => reason))).toEqual(new Set(['rejected']));
    expect(drops.reduce((sum, { records }) => sum + records, 0)).toBe(3);
    expect(warnings.map(({ kind }) => kind)).toContain('rejected');
    const expected = { accepted: 3, delivered: 0, dropped: { rejected: 3 }, queuedRecords: 0 };
    expect(stats.at(-1)).toMatchObject(expected);
    // The stream of pino.transport is pino's own.
    if ('stats' in held) expect(held.stats).toMatchObject(expected);
  });

  it('report the end of an outage', async () => {
    sink.answer = (_, index) => (index < 2 ? { status: 503 } : {});
    logging = open({ baseUrl: sink.url, ingestToken: 'token', minRetryDelayMs: 5 });
    const recoveries = collect(logging.held, 'recovered');
    logging.log(1);
    await logging.flush();
    expect(recoveries).toEqual([{ outageMs: expect.any(Number), failedAttempts: 2 }]);
    expect(sink.events).toHaveLength(1);
  });

  it('are emitted to listeners that throw, without affecting delivery', async () => {
    sink.answer = (_, index) => (index < 2 ? { status: 503 } : {});
    logging = open({ baseUrl: sink.url, ingestToken: 'token', minRetryDelayMs: 5 });
    const called = vi.fn();
    // A listener on pino's own stream fails in pino's code.
    if (way !== 'pino.transport') {
      for (const name of ['warn', 'recovered', 'stats']) {
        logging.held.on(name, () => {
          called(name);
          throw new Error('thrown on purpose');
        });
      }
    }
    for (let n = 0; n < 3; n++) logging.log(n);
    await logging.flush();
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([0, 1, 2]);
    if (way !== 'pino.transport') expect(called).toHaveBeenCalledWith('recovered');
  });
});

it('a winston logger emits the warnings of its transport, and never an error', async () => {
  sink.answer = () => ({ status: 400 });
  const held = new LogTransport({ baseUrl: sink.url, ingestToken: 'token', ...quiet });
  const logger = winston.createLogger({ transports: [held] });
  const onError = vi.fn();
  const onWarn = vi.fn(() => {
    throw new Error('thrown on purpose');
  });
  logger.on('warn', onWarn).on('error', onError);
  logger.info('refused');
  await held.flush();
  expect(onWarn).toHaveBeenCalledWith(expect.objectContaining({ kind: 'rejected' }), held);
  expect(onError).not.toHaveBeenCalled();
  const finished = once(logger, 'finish');
  logger.end();
  await finished;
});
