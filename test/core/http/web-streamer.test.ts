import { describe, expect, it } from 'vitest';
import { LogConnectionDroppedException } from '../../../src/core/errors.ts';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import { WebStreamer } from '../../../src/core/http/web-streamer.ts';
import { collect } from '../../helpers/collect.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Answer, startService } from '../../helpers/http-service.ts';

async function stream(answer: Answer): Promise<WebStreamer> {
  const service = await startService(answer);
  return new WebStreamer(await new WebCaller(service.url).callRest('POST', 'x', { stream: true }));
}

describe('WebStreamer', () => {
  it('yields lines, skips empty keep-alive lines, and accepts CRLF and a last line without a newline', async () => {
    const lines = await stream((_, response) => response.end('\n{"a":1}\n\n \r\n{"b":2}\r\n{"c":3}'));
    expect(await collect(lines)).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  });

  it('joins a character that was split between chunks', async () => {
    const bytes = Buffer.from('{"a":"€🎉"}\n');
    const lines = await stream(async (_, response) => {
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      response.end();
    });
    expect(await collect(lines)).toEqual(['{"a":"€🎉"}']);
  });

  it('closes the connection when a for await loop breaks', async () => {
    let isClosed = false;
    const lines = await stream((_, response) => {
      response.on('close', () => (isClosed = true));
      response.write('a\nb\n');
    });
    for await (const line of lines) {
      expect(line).toBe('a');
      break;
    }
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('closes the connection when return() is called while it waits for a line', async () => {
    let isClosed = false;
    const lines = await stream((_, response) => {
      response.on('close', () => (isClosed = true));
      response.write('a\n');
    });
    const iterator = lines[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 'a' });
    const waiting = iterator.next();
    expect(await iterator.return()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('throws if the response is cut off, and does not yield an incomplete line', async () => {
    const lines = await stream((_, response) => {
      response.write('whole\nhal');
      setTimeout(() => response.destroy(), 30);
    });
    const got: string[] = [];
    const reading = (async () => {
      for await (const line of lines) got.push(line);
    })();
    await expect(reading).rejects.toBeInstanceOf(LogConnectionDroppedException);
    expect(got).toEqual(['whole']);
  });

  it('reports whether it ended in the middle of a line', async () => {
    const ended = await stream((_, response) => response.end('a\nb\r\n\n'));
    expect([await collect(ended), ended.isInLastLine]).toEqual([['a', 'b'], false]);
    const cut = await stream((_, response) => response.end('a\nb'));
    expect([await collect(cut), cut.isInLastLine]).toEqual([['a', 'b'], true]);
  });
});
