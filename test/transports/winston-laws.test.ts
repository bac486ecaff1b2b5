import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import winston from 'winston';
import DailyRotateFile from 'winston-daily-rotate-file';
import { LogTransport } from '../../transports/winston/index.ts';
import { MESSAGE, SPLAT } from '../../transports/winston/winston-event.ts';
import { startDelivery } from '../helpers/delivery.ts';
import { useHandClock } from '../helpers/hand-clock.ts';
import { lawCases } from '../helpers/laws.ts';

const { format } = winston;
const { Transport } = winston as unknown as { Transport: new (options: object) => winston.transport };

type Format = ReturnType<typeof format.json>;
type Info = Record<string | symbol, unknown>;

let folder: string;
const devNull = createServer((request) => request.resume());

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'logclient-winston-'));
  await new Promise<void>((resolve) => devNull.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  devNull.closeAllConnections();
  devNull.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Transports of the program beside ours. */
const SIBLINGS: Readonly<Record<string, () => winston.transport[]>> = {
  none: () => [],
  Console: () => {
    const { _stdout } = console as unknown as { _stdout: NodeJS.WriteStream };
    const spy = vi.spyOn(_stdout, 'write').mockReturnValue(true);
    onTestFinished(() => spy.mockRestore());
    return [new winston.transports.Console()];
  },
  File: () => [new winston.transports.File({ filename: join(folder, 'app.log'), highWaterMark: 1 } as never)],
  DailyRotateFile: () => [new DailyRotateFile({ dirname: folder, filename: 'daily-%DATE%.log' })],
  Http: () => [
    new winston.transports.Http({ host: '127.0.0.1', port: (devNull.address() as AddressInfo).port }),
  ],
  Stream: () => [new winston.transports.Stream({ stream: new PassThrough({ highWaterMark: 1 }) })],
  'a transport that never calls back': () => [new Transport({ log() {} })],
  'a transport that fails': () => [
    // winston throws for records that a format has filtered, if such a transport has no level of its own.
    new Transport({
      level: 'debug',
      log: (_info: Info, callback: (error: Error) => void) => callback(new Error('full')),
    }),
  ],
};

interface Chain {
  readonly create: () => Format;
  /** Contains `format.splat()`. */
  readonly splats?: boolean;
}

const upper = format((info) => ({ ...info, level: info.level.toUpperCase() }));
const mask = format((info) => Object.assign(info, info.password !== undefined && { password: '***' }));
const prefix = format((info) => Object.assign(info, { message: `[web] ${String(info.message)}` }));
const plainCopy = format((info) => ({ ...info }));
const noDebug = format((info) => info.level !== 'debug' && info);
const request = format((info) => Object.assign(info, { request: { id: 'r1' } }));

const CHAINS: Readonly<Record<string, Chain>> = {
  json: { create: () => format.json() },
  simple: { create: () => format.simple() },
  'errors, json': { create: () => format.combine(format.errors(), format.json()) },
  'errors with stack, json': {
    create: () => format.combine(format.errors({ stack: true }), format.json()),
  },
  'errors with stack, splat, json': {
    create: () => format.combine(format.errors({ stack: true }), format.splat(), format.json()),
    splats: true,
  },
  'errors with cause, json': {
    create: () => format.combine(format.errors({ stack: true, cause: true }), format.json()),
  },
  'splat, json': { create: () => format.combine(format.splat(), format.json()), splats: true },
  'splat, simple': { create: () => format.combine(format.splat(), format.simple()), splats: true },
  'timestamp, json': { create: () => format.combine(format.timestamp(), format.json()) },
  'timestamp, splat, json': {
    create: () => format.combine(format.timestamp(), format.splat(), format.json()),
    splats: true,
  },
  'colorize, simple': { create: () => format.combine(format.colorize(), format.simple()) },
  'colorize all, simple': {
    create: () => format.combine(format.colorize({ all: true }), format.simple()),
  },
  'splat, colorize all': {
    create: () => format.combine(format.splat(), format.colorize({ all: true }), format.simple()),
    splats: true,
  },
  cli: { create: () => format.cli() },
  'padLevels, simple': { create: () => format.combine(format.padLevels(), format.simple()) },
  'align, simple': { create: () => format.combine(format.align(), format.simple()) },
  'label, json': { create: () => format.combine(format.label({ label: 'web' }), format.json()) },
  metadata: { create: () => format.combine(format.metadata(), format.json()) },
  'upper case level, printf': {
    create: () =>
      format.combine(
        upper(),
        format.printf(({ level, message }) => `${level} ${message}`),
      ),
  },
  'mask, json': { create: () => format.combine(mask(), format.json()) },
  'a copy, json': { create: () => format.combine(plainCopy(), format.json()) },
  'a filter, json': { create: () => format.combine(noDebug(), format.json()) },
  'a field, prettyPrint': { create: () => format.combine(request(), format.prettyPrint()) },
  'splat, prefix, json': {
    create: () => format.combine(format.splat(), prefix(), format.json()),
    splats: true,
  },
  uncolorize: { create: () => format.combine(format.uncolorize(), format.json()) },
};

interface Shape {
  readonly log: (logger: winston.Logger) => unknown;
  /** What arrives without `format.splat()`: the message with its values, and the fields behind it. */
  readonly filled?: Readonly<Record<string, unknown>>;
  /** The message of an error that arrives somewhere in the record, and that of its cause. */
  readonly error?: string;
}

function failure(message = 'boom'): Error {
  return Object.assign(new TypeError(message, { cause: new Error('root') }), { code: 'E_BOOM' });
}

const error = 'boom';

const SHAPES: Readonly<Record<string, Shape>> = {
  'a message': { log: (l) => l.info('hello') },
  'an empty message': { log: (l) => l.info('') },
  'no message': { log: (l) => (l.info as unknown as () => void)() },
  'a number': { log: (l) => l.info(5 as never) },
  null: { log: (l) => l.info(null as never) },
  undefined: { log: (l) => l.info(undefined as never) },
  'an object without a message': { log: (l) => l.info({ a: 1 } as never) },
  'an object with a message': { log: (l) => l.info({ message: 'hello', a: 1 } as never) },
  'an array': { log: (l) => l.info([1, 2] as never) },
  'a message with colors': { log: (l) => l.info('\u001b[31mred\u001b[39m') },
  'a message with blanks': { log: (l) => l.info('  hello ') },
  'a message with a newline': { log: (l) => l.info('a\nb') },
  'a percent sign': { log: (l) => l.info('100 %') },
  'a token without values': { log: (l) => l.info('user %s') },
  fields: { log: (l) => l.info('hello', { a: 1, b: 'x' }) },
  'nested fields': { log: (l) => l.info('hello', { a: { b: [1, { c: 2 }] } }) },
  'a field named level': { log: (l) => l.info('hello', { level: 'mine' }) },
  'a field named message': { log: (l) => l.info('hello', { message: 'there' }) },
  'a password': { log: (l) => l.info('hello', { password: 'secret' }) },
  'two objects': { log: (l) => l.info('hello', { a: 1 }, { b: 2 }) },
  'a value without a token': { log: (l) => l.info('hello', 'bob') },
  'a null behind the message': { log: (l) => l.info('hello', null) },
  'a function behind the message': { log: (l) => l.info('hello', () => {}) },
  'a value': { log: (l) => l.info('user %s', 'bob'), filled: { message: 'user bob' } },
  'values and fields': {
    log: (l) => l.info('user %s from %s', 'bob', 'here', { tenant: 't1' }),
    filled: { message: 'user bob from here', tenant: 't1' },
  },
  'a value that contains a token': { log: (l) => l.info('user %s', '%s'), filled: { message: 'user %s' } },
  'a number for %d': { log: (l) => l.info('%d items', 3), filled: { message: '3 items' } },
  'JSON for %j': { log: (l) => l.info('cart %j', { a: 1 }), filled: { message: 'cart {"a":1}' } },
  'an object for %d': { log: (l) => l.info('GET /x%dc', { status: 5 }), filled: { status: 5 } },
  'too few values': { log: (l) => l.info('%s and %s', 'a'), filled: { message: 'a and %s' } },
  'a percent sign and a value': {
    log: (l) => l.info('%s is 100%%', 'it'),
    filled: { message: 'it is 100%' },
  },
  'an error': { log: (l) => l.error(failure() as never), error },
  'an error as the message of a record': {
    log: (l) => l.log({ level: 'error', message: failure() as never }),
    error,
  },
  'an error behind the message': { log: (l) => l.error('failed', failure()), error },
  'an error in a field': { log: (l) => l.error('failed', { error: failure() }), error },
  'an error in a field of another name': { log: (l) => l.error('failed', { err: failure() }), error },
  'an error behind a value': {
    log: (l) => l.error('failed for %s', 'bob', failure()),
    filled: { message: 'failed for bob' },
    error,
  },
  'an error behind fields': { log: (l) => l.error('failed', { a: 1 }, failure()), error },
  'an error behind a text': { log: (l) => l.error('failed', 'for bob', failure()), error },
  'log with a level': { log: (l) => l.log('warn', 'hello') },
  'log with a level and fields': { log: (l) => l.log('warn', 'hello', { a: 1 }) },
  'log with a level and an object': { log: (l) => l.log('warn', { message: 'hello', a: 1 } as never) },
  'log with a level and an error': { log: (l) => l.log('error', failure() as never), error },
  'log with a record': { log: (l) => l.log({ level: 'warn', message: 'hello', a: 1 }) },
  'log with a record and values': {
    log: (l) => l.log({ level: 'warn', message: 'user %s', [SPLAT]: ['bob'] } as never),
    filled: { message: 'user bob' },
  },
  'a debug record': { log: (l) => l.debug('hello') },
  'a child': { log: (l) => l.child({ request: 'r2' }).info('hello', { a: 1 }) },
  'an error of a child': { log: (l) => l.child({ request: 'r2' }).error(failure() as never), error },
  'a grandchild': { log: (l) => l.child({ a: 1 }).child({ b: 2 }).warn('hello') },
  'a BigInt and a date': { log: (l) => l.info('hello', { n: 5n, at: new Date(0) }) },
  'a timer': { log: (l) => l.startTimer().done({ message: 'done', durationMs: 0 }) },
  write: { log: (l) => l.write({ level: 'info', message: 'written' }) },
};

/** The infos of a winston transport in a logger with this chain, as `format.json()` writes them. */
function writtenByWinston(chain: Chain, log: (logger: winston.Logger) => unknown): Info[] {
  const infos: Info[] = [];
  const transport = new Transport({
    log(info: Info, callback: () => void) {
      const json = format.json().transform({ ...info, ...plainError(info) } as never, {}) as Info;
      infos.push(JSON.parse(String(json[MESSAGE])));
      callback();
    },
  });
  log(createLogger(chain, [transport]));
  return infos;
}

/** The message and the stack of an error are not enumerable. */
function plainError(info: Info): object {
  return info instanceof Error ? { message: info.message } : {};
}

function createLogger(chain: Chain, transports: winston.transport[]): winston.Logger {
  const logger = winston.createLogger({
    level: 'debug',
    format: chain.create(),
    defaultMeta: { service: 'shop' },
    transports,
  });
  return logger.on('error', () => {});
}

const plain = (text: unknown): unknown =>
  typeof text === 'string' ? stripVTControlCharacters(text).trim() : text;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What must arrive for a record that winston writes as `written`. */
function expectedRecord(written: Info, chain: Chain, { filled, error }: Shape): Record<string, unknown> {
  const { timestamp: _time, durationMs: _duration, ...fields } = written;
  const expected: Record<string, unknown> = { ...fields, level: plain(fields.level) };
  // A level with colors is replaced by the one of the call.
  if (expected.level === 'mine' && fields.level !== 'mine') expected.level = 'info';
  if (!chain.splats) Object.assign(expected, filled);
  expected.message = plain(expected.message);
  // The two timers ran at different times.
  const { metadata } = fields;
  if (isObject(metadata) && 'durationMs' in metadata) {
    expected.metadata = { ...metadata, durationMs: expect.any(Number) };
  }
  if (error === undefined) return expected;
  // Stacks name the caller.
  for (const name of ['stack', 'message']) {
    const [firstLine, ...stack] = String(expected[name]).split('\n');
    if (stack.length > 0) expected[name] = expect.stringContaining(firstLine!);
  }
  // As JSON, an error is an empty object.
  for (const name of ['error', 'err', 'cause', 'metadata', 'message']) {
    if (typeof expected[name] === 'object') delete expected[name];
  }
  return expected;
}

const ROWS = Object.keys(SIBLINGS).flatMap((sibling) =>
  Object.keys(CHAINS).map((chain) => [sibling, chain] as const),
);

describe('Every record arrives as winston writes it, with its errors, at the time of its call', () => {
  it.each(lawCases(ROWS, 8))('beside %s, with the format %s', async (sibling, chainName) => {
    const chain = CHAINS[chainName]!;
    const clock = useHandClock();
    const { sink, options } = await startDelivery();
    const transport = new LogTransport({ ...options, worker: false });
    const siblings = SIBLINGS[sibling]!();
    const logger = createLogger(chain, [...siblings, transport]);
    onTestFinished(() => {
      for (const each of siblings) logger.remove(each);
      logger.remove(transport);
    });
    const expected: unknown[] = [];
    const times: number[] = [];
    for (const shape of Object.values(SHAPES)) {
      clock.move(1_000);
      for (const written of writtenByWinston(chain, shape.log)) {
        expected.push(expectedRecord(written, chain, shape));
        times.push(clock.now());
      }
      shape.log(logger);
    }
    await transport.flush();
    const records = sink.events.map(({ attributes }) => ({
      ...attributes,
      message: plain(attributes.message),
    }));
    expect(records).toMatchObject(expected);
    const withErrors = Object.values(SHAPES).filter((shape) => shape.error !== undefined);
    expect(records.filter((record) => JSON.stringify(record).includes('"root"'))).toHaveLength(
      withErrors.length,
    );
    if (!chainName.includes('timestamp')) {
      expect(sink.events.map(({ timestamp }) => timestamp)).toEqual(times);
    }
  });

  it('of at least 18 formats, 45 calls and 8 other transports', () => {
    expect(Object.keys(CHAINS).length).toBeGreaterThanOrEqual(18);
    expect(Object.keys(SHAPES).length).toBeGreaterThanOrEqual(45);
    expect(Object.keys(SIBLINGS).length).toBeGreaterThanOrEqual(8);
  });
});
