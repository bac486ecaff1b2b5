import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import winston from 'winston';
import { runFormat } from '../../transports/winston/format-run.ts';
import { LogTransport, type LogTransportOptions } from '../../transports/winston/index.ts';
import { LEVEL, MESSAGE } from '../../transports/winston/winston-event.ts';
import { startDelivery } from '../helpers/delivery.ts';
import type { IngestSink } from '../helpers/ingest-sink.ts';

const { format } = winston;

let sink: IngestSink;
let options: LogTransportOptions;
const transports: LogTransport[] = [];

beforeEach(async () => {
  const delivery = await startDelivery();
  sink = delivery.sink;
  options = { ...delivery.options, worker: false };
});

afterEach(async () => {
  for (const transport of transports.splice(0)) {
    transport.close();
    await transport.flush();
  }
});

function open(more: LogTransportOptions = {}): LogTransport {
  const transport = new LogTransport({ ...options, ...more });
  transports.push(transport);
  return transport;
}

async function delivered(): Promise<Record<string, unknown>[]> {
  for (const transport of transports) await transport.flush();
  return sink.events.map(({ attributes }) => attributes);
}

/** The output of another transport of the same logger. */
function openPrinter(): { lines: string[]; transport: winston.transport } {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _, callback) => {
      lines.push(String(chunk).trimEnd());
      callback();
    },
  });
  return { lines, transport: new winston.transports.Stream({ stream }) };
}

const ROOT = resolve(import.meta.dirname, '../..');
const copies: string[] = [];

afterAll(() => Promise.all(copies.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Loads another copy of winston and logform. */
async function copyOfWinston(change?: { from: string; to: string }): Promise<typeof winston> {
  const folder = await mkdtemp(join(ROOT, '.tmp-winston-'));
  copies.push(folder);
  for (const name of ['winston', 'logform']) {
    const path = join('node_modules', name);
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  const file = join(folder, 'node_modules/winston/lib/winston/logger.js');
  const text = await readFile(file, 'utf8');
  if (change !== undefined) await writeFile(file, text.replace(change.from, change.to));
  return createRequire(join(folder, 'program.js'))('winston');
}

/** winston's default format can't serialize it. */
const unreadable = {
  kept: 1,
  get bad(): never {
    throw new Error('boom');
  },
};
const shown = { kept: 1, bad: '[Throws: boom]' };

describe('A format that throws', () => {
  it('does not throw from the log call or lose the record, in this or other transports', async () => {
    const printer = openPrinter();
    const logger = winston.createLogger({
      defaultMeta: { service: 'shop' },
      transports: [printer.transport, open()],
    });
    logger.info('before');
    logger.warn('odd', { value: unreadable });
    logger.child({ requestId: 'r1' }).info('child', { value: unreadable });
    logger.info('after');
    expect(await delivered()).toEqual([
      { service: 'shop', level: 'info', message: 'before' },
      { service: 'shop', level: 'warn', message: 'odd', value: shown },
      { service: 'shop', level: 'info', message: 'child', requestId: 'r1', value: shown },
      { service: 'shop', level: 'info', message: 'after' },
    ]);
    expect(printer.lines.map((line) => JSON.parse(line))).toEqual(await delivered());
  });

  it('is called once more with plain data, so that it still does its work', async () => {
    const printer = openPrinter();
    const redact = format(({ password, ...info }) => ({ ...info, password: password && '***' }));
    const logger = winston.createLogger({
      format: format.combine(
        format.label({ label: 'web', message: true }),
        format.splat(),
        format.timestamp(),
        redact(),
        format.json(),
      ),
      transports: [printer.transport, open()],
    });
    logger.info('%s is odd', 'bob', { password: 'secret', value: unreadable });
    const [event] = await delivered();
    expect(event).toEqual({ level: 'info', message: '[web] bob is odd', password: '***', value: shown });
    expect(typeof sink.events[0]?.timestamp).toBe('string');
    expect(printer.lines[0]).toContain('"message":"[web] bob is odd"');
    expect(JSON.stringify(sink.requests) + printer.lines.join()).not.toContain('secret');
  });

  it('leaves only level, message and formatError if it throws for plain data too', async () => {
    const printer = openPrinter();
    const broken = format(() => {
      throw new TypeError('bug');
    });
    const logger = winston.createLogger({ format: broken(), transports: [printer.transport, open()] });
    logger.error('failed', { password: 'secret' });
    const expected = { level: 'error', message: 'failed', formatError: '[Throws: bug]' };
    expect(await delivered()).toEqual([expected]);
    expect(JSON.parse(printer.lines[0]!)).toEqual(expected);
  });

  it('can belong to the transport', async () => {
    const logger = winston.createLogger({
      format: format.simple(),
      transports: [open({ format: format.json() })],
    });
    logger.info('odd', { value: unreadable });
    expect(await delivered()).toEqual([{ level: 'info', message: 'odd', value: shown }]);
  });

  it('is retried with errors that keep their message, stack, cause and fields', async () => {
    const logger = winston.createLogger({ transports: [open()] });
    const error = Object.assign(new TypeError('top', { cause: new Error('root') }), { value: unreadable });
    logger.error(error);
    logger.error('failed', error);
    logger.error('failed', { error });
    const texts = { message: 'top', stack: error.stack, value: shown, cause: { message: 'root' } };
    expect(await delivered()).toMatchObject([
      { ...texts, level: 'error', name: 'TypeError' },
      { ...texts, level: 'error', message: 'failed top' },
      { level: 'error', message: 'failed', error: { ...texts, name: 'TypeError' } },
    ]);
  });
});

describe('A format that does not throw', () => {
  it('returns the same object as without the guard', () => {
    const results: unknown[] = [];
    const spied = format((info) => {
      const result = { ...info, [MESSAGE]: 'text', n: { a: 1 } };
      results.push(result);
      return result;
    });
    const transport = open();
    const log = vi.spyOn(transport, 'log');
    const logger = winston.createLogger({ format: spied(), transports: [transport] });
    logger.info('hello', { list: [1] });
    expect(results).toHaveLength(1);
    expect(log.mock.calls[0]?.[0]).toBe(results[0]);
  });

  it('can still filter records', async () => {
    const noSecrets = format((info) => (info.secret === undefined ? info : false));
    const logger = winston.createLogger({
      format: format.combine(noSecrets(), format.json()),
      transports: [open()],
    });
    logger.info('a');
    logger.info('b', { secret: true });
    logger.info('c', { secret: true, value: unreadable });
    logger.info('d');
    expect((await delivered()).map(({ message }) => message)).toEqual(['a', 'd']);
  });

  it('keeps its options and its other methods', () => {
    const colorize = format.colorize({ all: true });
    const logger = winston.createLogger({ format: colorize, transports: [open()] });
    expect(logger.format).toBeInstanceOf(colorize.constructor);
    expect(logger.format.options).toBe(colorize.options);
    expect((logger.format as typeof colorize).colorize('info', 'text')).toContain('text');
  });
});

describe('The MESSAGE string of a JSON format', () => {
  /** A value that counts how often it is serialized. */
  function countingValue(): { toJSON: () => string; writes: () => number } {
    const toJSON = vi.fn(() => 'shown');
    return Object.defineProperty({ toJSON } as never, 'writes', { value: () => toJSON.mock.calls.length });
  }

  it('is not created for transports that read the fields', async () => {
    const ofLogger = winston.createLogger({ transports: [open(), open()] });
    const ofTransport = winston.createLogger({
      format: format.splat(),
      transports: [open({ format: format.json() })],
    });
    const value = countingValue();
    ofLogger.info('hello', { value });
    ofLogger.child({ id: 1 }).info('child', { value });
    ofTransport.info('hello', { value });
    expect(await delivered()).toHaveLength(5);
    expect(value.writes()).toBe(5);
  });

  it('is not created in loggers of another copy of winston', async () => {
    const other = await copyOfWinston();
    expect(other.format.json().transform).not.toBe(format.json().transform);
    const ofLogger = other.createLogger({ transports: [open()] });
    const ofTransport = other.createLogger({
      format: other.format.splat(),
      transports: [open({ format: other.format.json() })],
    });
    const value = countingValue();
    ofLogger.info('hello', { value });
    ofLogger.child({ id: 1 }).info('child', { value });
    ofTransport.info('hello', { value });
    expect(await delivered()).toHaveLength(3);
    expect(value.writes()).toBe(3);
  });

  it('is created by a default format that also changes records, and the changes are delivered', async () => {
    const changed = await copyOfWinston({
      from: "require('logform/json')()",
      to: "require('logform/label')({ label: 'web' })",
    });
    const mask = format((info) => {
      if (info.password !== undefined) info.password = '***';
      info[MESSAGE] = JSON.stringify(info);
      return info;
    });
    class MaskingLogger extends winston.Logger {
      override configure(given: winston.LoggerOptions): void {
        super.configure({ level: 'info', levels: winston.config.npm.levels, format: mask(), ...given });
      }
    }
    changed.createLogger({ transports: [open()] }).info('hello');
    new MaskingLogger({ transports: [open()] }).log('info', 'hello', { password: 'secret' });
    expect(await delivered()).toEqual([
      { level: 'info', message: 'hello', label: 'web' },
      { level: 'info', message: 'hello', password: '***' },
    ]);
  });

  it('is created at the log call for other transports, so later changes to fields do not affect it', () => {
    const infos: Record<symbol, unknown>[] = [];
    const keeper = openPrinter().transport;
    vi.spyOn(keeper, 'log').mockImplementation((info) => infos.push(info));
    const logger = winston.createLogger({ transports: [open(), keeper] });
    const cart = { items: 1 };
    logger.info('hello', { cart });
    cart.items = 2;
    expect(infos[0]?.[MESSAGE]).toBe('{"cart":{"items":1},"level":"info","message":"hello"}');
  });

  it('is created for any other transport, including one that is added later', () => {
    const printer = openPrinter();
    const logger = winston.createLogger({ transports: [open()] });
    const value = countingValue();
    logger.info('before', { value });
    logger.add(printer.transport);
    logger.info('with', { value });
    logger.remove(printer.transport);
    logger.info('after', { value });
    expect(printer.lines).toEqual(['{"level":"info","message":"with","value":"shown"}']);
    expect(value.writes()).toBe(4);
  });

  it('is created once, when it is first read', () => {
    const transport = open();
    const log = vi.spyOn(transport, 'log');
    const texts: unknown[] = [];
    const logger = winston.createLogger({ transports: [transport] });
    logger.on('data', (info) => texts.push(info[MESSAGE]));
    const value = countingValue();
    logger.info('hello', { value });
    logger.info('odd', { value: unreadable });
    expect(texts[0]).toBe('{"level":"info","message":"hello","value":"shown"}');
    expect(JSON.parse(String(texts[1]))).toEqual({ level: 'info', message: 'odd', value: shown });
    const info = log.mock.calls[0]?.[0] as Record<symbol, unknown>;
    expect({ ...info }[MESSAGE]).toBe(texts[0]);
    info[MESSAGE] = 'mine';
    expect(info[MESSAGE]).toBe('mine');
    expect(value.writes()).toBe(2);
  });

  it('is available to listeners, custom classes and formats of the transport', async () => {
    const texts: unknown[] = [];
    class Teller extends LogTransport {
      override log(...[info, callback]: Parameters<LogTransport['log']>): void {
        texts.push(info[MESSAGE]);
        super.log(info, callback);
      }
    }
    const ofClass = new Teller(options);
    const heard = open().on('logged', (info) => texts.push(info[MESSAGE]));
    const seesText = format((info) => ({ ...info, seen: info[MESSAGE] }));
    transports.push(ofClass);
    for (const transport of [ofClass, heard, open({ format: seesText() })]) {
      winston.createLogger({ transports: [transport] }).info('hello');
    }
    const piped = winston.createLogger({ transports: [open()] });
    piped.on('data', (info) => texts.push(info[MESSAGE]));
    piped.info('hello');
    const text = '{"level":"info","message":"hello"}';
    await expect.poll(() => texts).toEqual([text, text, text]);
    expect((await delivered())[2]).toEqual({ level: 'info', message: 'hello', seen: text });
  });

  it('is available to a transport that is added while records wait in the logger', async () => {
    const printer = openPrinter();
    const logger = winston.createLogger({ transports: [open()] });
    await expect.poll(() => logger.readableFlowing).toBe(true);
    logger.pause();
    logger.info('waiting');
    logger.add(printer.transport);
    logger.resume();
    await expect.poll(() => printer.lines).toEqual(['{"level":"info","message":"waiting"}']);
    expect(await delivered()).toHaveLength(1);
  });

  it("is available to other users of the logger's format", async () => {
    const printer = openPrinter();
    const [logger, wrapped] = [1, 2].map(() => winston.createLogger({ transports: [open()] }));
    winston.createLogger({ format: logger!.format, transports: [printer.transport] }).info('hello');
    const seesText = format((info) => ({ ...info, seen: info[MESSAGE] }));
    wrapped!.format = format.combine(wrapped!.format, seesText());
    wrapped!.info('hello');
    const text = '{"level":"info","message":"hello"}';
    expect(printer.lines).toEqual([text]);
    expect(await delivered()).toEqual([{ level: 'info', message: 'hello', seen: text }]);
  });

  it('is created if the program sets a replacer, which may have side effects', () => {
    const replacer = vi.fn((_key: string, value: unknown) => value);
    const logger = winston.createLogger({ format: format.json({ replacer }), transports: [open()] });
    logger.info('hello');
    expect(replacer).toHaveBeenCalled();
  });

  it('is not added to frozen records, which are still delivered', async () => {
    const logger = winston.createLogger({ transports: [open()] });
    logger.write(Object.freeze({ level: 'info', message: 'frozen', [LEVEL]: 'info' }));
    expect(await delivered()).toEqual([{ level: 'info', message: 'frozen' }]);
  });
});

describe('The format guard', () => {
  it('is added once for several transports and removed with the last one', () => {
    const original = format.json();
    const [first, second] = [open(), open()];
    const logger = winston.createLogger({ format: original, transports: [first, second] });
    const guard = logger.format;
    expect(guard).not.toBe(original);
    logger.remove(first);
    expect(logger.format).toBe(guard);
    logger.remove(second);
    expect(logger.format).toBe(original);
    logger.add(first);
    expect(logger.format).not.toBe(original);
    expect(Object.getPrototypeOf(logger.format)).toBe(original);
  });

  it('keeps a format that the program has set in the meantime', () => {
    const replaced = format.simple();
    const transport = open();
    const logger = winston.createLogger({ transports: [transport] });
    logger.format = replaced;
    logger.remove(transport);
    expect(logger.format).toBe(replaced);
  });

  it('is added again after logger.configure()', async () => {
    const transport = open();
    const logger = winston.createLogger({ transports: [transport] });
    logger.configure({ format: format.json(), transports: [transport] });
    logger.info('odd', { value: unreadable });
    const last = format.json();
    logger.configure({ format: last, transports: [open()] });
    logger.info('odd again', { value: unreadable });
    expect((await delivered()).map(({ message }) => message)).toEqual(['odd', 'odd again']);
    expect(Object.getPrototypeOf(logger.format)).toBe(last);
  });

  it("protects the parent's format when the transport is added to a child", async () => {
    const parent = winston.createLogger();
    const child = parent.child({ requestId: 'r1' });
    child.add(open());
    child.info('odd', { value: unreadable });
    expect(await delivered()).toEqual([{ level: 'info', message: 'odd', requestId: 'r1', value: shown }]);
  });

  it('serves several loggers that share a format and a transport', async () => {
    const shared = format.json();
    const transport = open();
    const loggers = [1, 2].map(() => winston.createLogger({ format: shared, transports: [transport] }));
    loggers[0]?.remove(transport);
    for (const logger of loggers.slice(1)) logger.info('odd', { value: unreadable });
    expect(loggers[0]?.format).toBe(shared);
    expect((await delivered()).map(({ message }) => message)).toEqual(['odd']);
  });
});

it('a format that changes an info and throws is called again with the info as it was', () => {
  const seen: string[][] = [];
  const changing = {
    transform(info: object) {
      seen.push(Object.keys(info));
      Object.assign(info, { changed: true });
      if (seen.length === 1) throw new Error('fails once');
      return info;
    },
  };
  runFormat(changing, { level: 'info', message: 'hello', [LEVEL]: 'info' }, false);
  expect(seen).toEqual([
    ['level', 'message'],
    ['level', 'message'],
  ]);
});
