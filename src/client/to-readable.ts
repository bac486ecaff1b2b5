import { Readable } from 'node:stream';
import { LogOptionsException } from '../core/errors.ts';
import { callOptionsOf } from '../core/http/call-options.ts';
import { isError } from '../core/is-error.ts';
import { describe, refuseUnknownOptions, requireInteger, requireOneOf } from '../core/option-checks.ts';

export interface ToReadableOptions {
  /**
   * Content of the stream. `objects` emits the objects themselves. `ndjson` emits one line of JSON per object, as bytes
   * for files, sockets and HTTP responses.
   *
   * @default 'objects'
   */
  format?: 'objects' | 'ndjson' | undefined;
  /**
   * Read-ahead limit: a number of objects, or a number of bytes with `ndjson`.
   *
   * @default 16, or `65_536` with `ndjson`
   */
  highWaterMark?: number | undefined;
  /**
   * Signal that destroys the stream with an AbortError. To end the stream without an error, pass the signal to the
   * source instead.
   */
  signal?: AbortSignal | undefined;
}

const DEFAULT_HIGH_WATER_MARK = { objects: 16, ndjson: 65_536 };

/**
 * Creates a Node.js stream from `tail()`, `watch()`, `streamingQuery()` or any other async iterable. Reads its source
 * at the speed of its consumer, fails with the error of the source, and closes the source when it is destroyed.
 *
 * @throws LogOptionsException
 */
export function toReadable(source: AsyncIterable<unknown>, options: ToReadableOptions = {}): Readable {
  refuseUnknownOptions('toReadable', options, ['format', 'highWaterMark', 'signal']);
  if (typeof source?.[Symbol.asyncIterator] !== 'function') {
    throw new LogOptionsException(
      `toReadable: the source must be an async iterable, such as the result of tail() (got ${describe(source)}).`,
    );
  }
  const { signal } = callOptionsOf('toReadable', { signal: options.signal });
  const format = requireOneOf('toReadable', 'format', options.format ?? 'objects', ['objects', 'ndjson']);
  const highWaterMark = requireInteger(
    'toReadable',
    'highWaterMark',
    options.highWaterMark ?? DEFAULT_HIGH_WATER_MARK[format],
  );
  const chunkOf = format === 'objects' ? requireObject : toLine;
  const iterator = source[Symbol.asyncIterator]();
  return new Readable({
    objectMode: format === 'objects',
    highWaterMark,
    ...(signal === undefined ? {} : { signal }),
    read() {
      pull(this, iterator, chunkOf);
    },
    destroy(error, callback) {
      close(iterator).then(
        () => callback(error),
        (closeError: unknown) => callback(error ?? toError(closeError)),
      );
    },
  });
}

/** Node calls this again after each chunk, but never while a call is pending. */
async function pull(
  readable: Readable,
  iterator: AsyncIterator<unknown>,
  chunkOf: (value: unknown) => unknown,
): Promise<void> {
  try {
    const { done, value } = await iterator.next();
    if (readable.destroyed) return;
    readable.push(done === true ? null : chunkOf(value));
  } catch (error) {
    readable.destroy(toError(error));
  }
}

async function close(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.();
}

function requireObject(value: unknown): unknown {
  // In a stream, null means the end.
  if (value !== null && value !== undefined) return value;
  throw new LogOptionsException(`toReadable: the source yielded ${value}, which a stream can't contain.`);
}

function toLine(value: unknown): Buffer {
  const json: string | undefined = JSON.stringify(value);
  if (json !== undefined) return Buffer.from(`${json}\n`);
  throw new LogOptionsException(
    `toReadable: the source yielded ${describe(value)}, which can't be serialized as JSON.`,
  );
}

function toError(error: unknown): Error {
  return isError(error) ? error : new Error(String(error), { cause: error });
}
