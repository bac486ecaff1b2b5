import { Readable } from 'node:stream';
import { LogOptionsException } from '../core/errors.ts';
import { callOptionsOf } from '../core/http/call-options.ts';
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
      `toReadable: the source must be an async iterable, such as the result of tail() (got ${describe(source)}). For an array, use Readable.from().`,
    );
  }
  const { signal } = callOptionsOf('toReadable', { signal: options.signal });
  const format = requireOneOf('toReadable', 'format', options.format ?? 'objects', ['objects', 'ndjson']);
  const { highWaterMark: limit = DEFAULT_HIGH_WATER_MARK[format] } = options;
  const highWaterMark = requireInteger('toReadable', 'highWaterMark', limit);
  const iterator = source[Symbol.asyncIterator]();
  const convert = format === 'objects' ? requireObject : toLine;
  // Not a generator, which could not be closed while it waits for the source.
  const converted = {
    async next(): Promise<IteratorResult<unknown>> {
      const { done, value } = await iterator.next();
      return done ? { done, value: undefined } : { done: false, value: convert(value) };
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]: () => converted,
  } as const;
  const objectMode = format === 'objects';
  return Readable.from(converted, { objectMode, highWaterMark, ...(signal && { signal }) });
}

function requireObject(value: unknown): unknown {
  // In a stream, null means the end.
  if (value !== null && value !== undefined) return value;
  throw new LogOptionsException(`toReadable: the source yielded ${value}, which a stream can't contain.`);
}

function toLine(value: unknown): string {
  const json: string | undefined = JSON.stringify(value);
  if (json !== undefined) return `${json}\n`;
  throw new LogOptionsException(
    `toReadable: the source yielded ${describe(value)}, which can't be serialized as JSON.`,
  );
}
