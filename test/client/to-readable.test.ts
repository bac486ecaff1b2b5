import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toReadable } from '../../src/client/to-readable.ts';
import { LogOptionsException } from '../../src/core/errors.ts';
import { collect } from '../helpers/collect.ts';
import { eventually } from '../helpers/eventually.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../helpers/service-kinds.ts';

/** Records how far it is read, and whether it was closed. */
class Numbers implements AsyncIterable<{ n: number }> {
  taken = 0;
  isClosed = false;

  async *[Symbol.asyncIterator](): AsyncGenerator<{ n: number }> {
    try {
      for (;;) yield { n: this.taken++ };
    } finally {
      this.isClosed = true;
    }
  }
}

async function* three(): AsyncGenerator<object> {
  yield { n: 1 };
  yield { n: 2, text: 'ü\n' };
  yield { n: 3 };
}

describe('toReadable()', () => {
  it('emits the objects of its source, and ends with it', async () => {
    expect(await collect(toReadable(three()))).toEqual([{ n: 1 }, { n: 2, text: 'ü\n' }, { n: 3 }]);
  });

  it('emits JSON lines as bytes in ndjson format', async () => {
    const readable = toReadable(three(), { format: 'ndjson' });
    expect(readable.readableObjectMode).toBe(false);
    expect(await text(readable)).toBe('{"n":1}\n{"n":2,"text":"ü\\n"}\n{"n":3}\n');
  });

  it('emits the lines that are available at once as one chunk, and others when they arrive', async () => {
    const reader = new EventEmitter();
    async function* source(): AsyncGenerator<object> {
      yield* three();
      await once(reader, 'chunk');
      yield { n: 4 };
    }
    const chunks: string[] = [];
    const readable = toReadable(source(), { format: 'ndjson' }).on('data', (chunk) => {
      chunks.push(String(chunk));
      reader.emit('chunk');
    });
    await once(readable, 'end');
    expect(chunks.map((chunk) => chunk.split('\n').length - 1)).toEqual([3, 1]);
  });

  it('emits the lines before an error', async () => {
    async function* failing(): AsyncGenerator<object> {
      yield* three();
      throw new Error('mine');
    }
    const chunks: string[] = [];
    const readable = toReadable(failing(), { format: 'ndjson' }).on('data', (chunk) =>
      chunks.push(String(chunk)),
    );
    await expect(once(readable, 'close')).rejects.toThrow('mine');
    expect(chunks.join('').split('\n')).toHaveLength(4);
  });

  it.each([
    ['objects', 5, 5],
    ['ndjson', 80, 10],
  ] as const)('reads no further ahead than highWaterMark: %s', async (format, highWaterMark, most) => {
    const numbers = new Numbers();
    const readable = toReadable(numbers, { format, highWaterMark });
    let received = 0;
    const write = (chunk: object): void => {
      received += format === 'objects' ? 1 : String(chunk).split('\n').length - 1;
    };
    const slow = new Writable({ objectMode: true, highWaterMark: 1, write });
    readable.pipe(slow);
    await eventually(() => expect(readable.readableLength).toBeGreaterThanOrEqual(highWaterMark));
    expect(numbers.taken - received).toBeLessThanOrEqual(most + 3);
    readable.destroy();
    await once(readable, 'close');
    expect(numbers.isClosed).toBe(true);
  });

  it('closes its source when it is destroyed', async () => {
    const numbers = new Numbers();
    const readable = toReadable(numbers);
    for await (const { n } of readable) if (n === 3) break;
    expect(readable.destroyed).toBe(true);
    await eventually(() => expect(numbers.isClosed).toBe(true));
  });

  it('closes its source when its destination fails', async () => {
    const numbers = new Numbers();
    const broken = new Writable({
      objectMode: true,
      write: (_chunk, _encoding, done) => done(new Error('full')),
    });
    await expect(pipeline(toReadable(numbers), broken)).rejects.toThrow('full');
    expect(numbers.isClosed).toBe(true);
  });

  it("fails with its source's error", async () => {
    const mine = new Error('mine');
    async function* failing(): AsyncGenerator<object> {
      yield { n: 1 };
      throw mine;
    }
    await expect(collect(toReadable(failing()))).rejects.toBe(mine);
  });

  it('fails if the source yields null', async () => {
    async function* empty(): AsyncGenerator<unknown> {
      yield null;
    }
    await expect(collect(toReadable(empty()))).rejects.toThrow('the source yielded null');
  });

  it.each([undefined, () => {}, Symbol('x')])(
    'fails for a value that JSON cannot represent: %s',
    async (value) => {
      async function* odd() {
        yield value;
      }
      const reading = collect(toReadable(odd(), { format: 'ndjson' }));
      await expect(reading).rejects.toThrow(/yielded .*, which can't be serialized as JSON/);
    },
  );

  it.each(SERVICE_KINDS)('is destroyed by its signal while it waits (%s)', async (kind) => {
    const { server, client } = await startServiceOfKind(kind);
    const liveQueries = (): number => server.inspect.store().liveStreams + server.inspect.jobs().length;
    const controller = new AbortController();
    const readable = toReadable(client.tail('*'), { signal: controller.signal });
    const sink = new PassThrough({ objectMode: true });
    const piping = pipeline(readable, sink);
    await eventually(() => expect(liveQueries()).toBe(1));
    controller.abort();
    await expect(piping).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => expect(liveQueries()).toBe(0));
  });

  it.each(SERVICE_KINDS)(
    'streams a tail into an HTTP response, and ends the tail when the client disconnects (%s)',
    async (kind) => {
      const { server, client, log } = await startServiceOfKind(kind);
      const liveQueries = (): number => server.inspect.store().liveStreams + server.inspect.jobs().length;
      await log([{ timestamp: Date.now(), attributes: { n: '1' } }]);
      const app = createServer((_, response) => {
        pipeline(toReadable(client.tail('n=*'), { format: 'ndjson' }), response).catch(() => {});
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void app.close());
      await once(app, 'listening');
      const controller = new AbortController();
      const answer = await fetch(`http://127.0.0.1:${(app.address() as AddressInfo).port}`, {
        signal: controller.signal,
      });
      const reader = answer.body!.getReader();
      const { value } = await reader.read();
      expect(JSON.parse(new TextDecoder().decode(value)).n).toBe('1');
      controller.abort();
      await eventually(() => expect(liveQueries()).toBe(0));
    },
  );

  it.each([
    [[], {}, 'the source must be an async iterable, such as the result of tail() (got an array)'],
    [undefined, {}, 'the source must be an async iterable'],
    [three(), { format: 'csv' }, '"format" must be one of objects, ndjson'],
    [three(), { highWaterMark: -1 }, '"highWaterMark" must be a whole number'],
    [three(), { signal: 1 }, '"signal" must be an AbortSignal'],
    [three(), { objectMode: true }, 'toReadable has no option "objectMode"'],
  ])('rejects invalid arguments %#', (source, options, message) => {
    const make = (): Readable => toReadable(source as AsyncIterable<unknown>, options as object);
    expect(make).toThrow(LogOptionsException);
    expect(make).toThrow(message);
  });
});
