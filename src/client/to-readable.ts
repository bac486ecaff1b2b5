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
      `toReadable: the source must be an async iterable, such as the result of tail() (got ${describe(source)}). For an array, use Readable.from().`,
    );
  }
  const { signal } = callOptionsOf('toReadable', { signal: options.signal });
  const format = requireOneOf('toReadable', 'format', options.format ?? 'objects', ['objects', 'ndjson']);
  const { highWaterMark: limit = DEFAULT_HIGH_WATER_MARK[format] } = options;
  const highWaterMark = requireInteger('toReadable', 'highWaterMark', limit);
  const iterator = source[Symbol.asyncIterator]();
  const close = async (): Promise<unknown> => iterator.return?.();
  const readable = new Readable({
    objectMode: format === 'objects',
    highWaterMark,
    ...(signal === undefined ? {} : { signal }),
    read: () => void pump.run(),
    destroy(error, callback) {
      close().then(
        () => callback(error),
        (closeError: unknown) => callback(error ?? toError(closeError)),
      );
    },
  });
  const pump = new Pump(iterator, readable);
  return readable;
}

/** Moves values from a source to a stream until the stream has enough. */
class Pump {
  readonly #source: AsyncIterator<unknown>;
  readonly #readable: Readable;
  readonly #chunkLength: number;
  #isRunning = false;
  #hasEnough = false;
  /** The lines that are available now, as one chunk: a chunk costs as much as a line. */
  #lines = '';
  #turn: NodeJS.Immediate | undefined;

  constructor(source: AsyncIterator<unknown>, readable: Readable) {
    this.#source = source;
    this.#readable = readable;
    this.#chunkLength = Math.min(readable.readableHighWaterMark, DEFAULT_HIGH_WATER_MARK.ndjson);
  }

  async run(): Promise<void> {
    this.#hasEnough = false;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.#hasEnough) {
        const { done, value } = await this.#source.next();
        if (this.#readable.destroyed) return;
        if (done === true) {
          this.#flush();
          this.#hasEnough = true;
          this.#readable.push(null);
        } else if (this.#readable.readableObjectMode) this.#push(requireObject(value));
        else this.#add(toLine(value));
      }
    } catch (error) {
      this.#flush();
      this.#readable.destroy(toError(error));
    } finally {
      this.#isRunning = false;
    }
  }

  #push(chunk: unknown): void {
    this.#hasEnough = !this.#readable.push(chunk);
  }

  #add(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= this.#chunkLength) this.#flush();
    // The source may wait for its next value.
    else this.#turn ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#push(lines);
  }
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

function toError(error: unknown): Error {
  return isError(error) ? error : new Error(String(error), { cause: error });
}
