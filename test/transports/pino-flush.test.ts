import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import winston from 'winston';
import { abandonStream, flush } from '../../transports/pino/flush.ts';
import { createPinoStream, createPinoTransport, flushOnSignals } from '../../transports/pino/index.ts';
import { FLUSHED_EVENT, FLUSHING_EVENT } from '../../transports/pino/pino-worker-side.ts';
import { LogTransport } from '../../transports/winston/index.ts';

/** The stream of a worker with some copies of this package, which respond when the test says so. */
class WorkerStream extends EventEmitter {
  readonly worker = {};
  ready = true;
  readonly writableEnded = false;
  readonly calls: string[] = [];
  #requests: unknown[] = [];
  readonly #version: string;

  constructor(threadStreamVersion: string) {
    super();
    this.#version = threadStreamVersion;
    this.on('message', ({ id }: { id: unknown }) => this.#requests.push(id));
  }

  end(): void {}

  flush(callback: () => void): void {
    this.calls.push('flush');
    callback();
  }

  flushSync(): void {
    this.calls.push('flushSync');
  }

  /** Responds to the latest request. */
  async respond(event: string): Promise<void> {
    await Promise.resolve();
    this.emit(event, { id: this.#requests.at(-1), threadStreamVersion: this.#version });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function flushing(stream: WorkerStream): Promise<void> {
  void flush(stream).then(() => stream.calls.push('done'));
  await new Promise((resolve) => setImmediate(resolve));
}

it('flush() waits for each copy of this package in the worker', async () => {
  const stream = new WorkerStream('4.2.1');
  await flushing(stream);
  for (const event of [FLUSHING_EVENT, FLUSHING_EVENT, FLUSHED_EVENT]) await stream.respond(event);
  expect(stream.calls).toEqual(['flush']);
  await stream.respond(FLUSHED_EVENT);
  expect(stream.calls).toEqual(['flush', 'done']);
});

it('flush() moves lines to a worker with thread-stream 3 or older, and waits until it has delivered them', async () => {
  const stream = new WorkerStream('3.1.0');
  await flushing(stream);
  await stream.respond(FLUSHING_EVENT);
  expect(stream.calls).toEqual(['flush', 'flushSync']);
  await stream.respond(FLUSHING_EVENT);
  expect(stream.calls).toEqual(['flush', 'flushSync']);
  await stream.respond(FLUSHED_EVENT);
  expect(stream.calls).toEqual(['flush', 'flushSync', 'done']);
});

it.each([winston.createLogger({ silent: true }), winston.createLogger().child({ a: 1 })])(
  'flush() and flushOnSignals() say what to call instead for a winston logger',
  async (logger) => {
    const message = 'this is a winston logger. Call flush() of its LogTransport';
    await expect(flush(logger as never)).rejects.toThrow(message);
    expect(() => flushOnSignals(logger as never)).toThrow(message);
  },
);

it('a transport or stream with null for its options names the problem', () => {
  for (const create of [
    createPinoTransport,
    createPinoStream,
    (options: never) => new LogTransport(options),
  ]) {
    expect(() => create(null as never)).toThrow(
      /^\w+: the options must be an object \(got null\)\. Omit it, or pass undefined\.$/,
    );
  }
});

it('a worker that has not started when the program is interrupted is reported on stderr', async () => {
  const stream = new WorkerStream('4.0.0');
  stream.ready = false;
  const errorLines: string[] = [];
  await abandonStream(stream, (line) => errorLines.push(line));
  expect(errorLines).toEqual(["logclient: pino's worker had not started at Ctrl-C. All records are lost."]);
});
