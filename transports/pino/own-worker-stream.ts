import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { LineDelivery } from '../../src/ingest/kit/line-delivery.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { LineSink } from '../../src/ingest/worker/line-sink.ts';
import type { ResolvedTransportOptions } from '../../src/ingest/worker/worker-options.ts';
import { onPinoConfig, pinoLineMapper } from './pino-mapper.ts';
import type { PinoStream } from './pino-stream.ts';

/** First characters of control lines: the logger's levels and `END_LINE`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control lines start with them.
const CONTROL_LINE = /^[\u0001\u0004]/gm;

/** Delivers from a worker of this package, which it sends lines to. */
export class OwnWorkerPinoStream extends Writable implements PinoStream {
  readonly #delivery: LineDelivery;
  readonly #sink: LineSink;
  readonly #decoder = new StringDecoder();

  constructor(options: ResolvedTransportOptions) {
    // Lines are passed on as they arrive, so the stream buffers nothing.
    super({ decodeStrings: false, highWaterMark: Number.MAX_SAFE_INTEGER });
    this.#delivery = new LineDelivery(this, { options, mapperFor: pinoLineMapper, mapper: 'pino' });
    this.#sink = this.#delivery.sink;
    onPinoConfig(this, (line) => this.#sink.control(line));
  }

  get stats(): IngesterStats {
    return this.#delivery.stats;
  }

  async flush(callback?: () => void): Promise<boolean> {
    const isFlushed = await this.#delivery.flush();
    callback?.();
    return isFlushed;
  }

  override write(chunk: string | Buffer, ...rest: unknown[]): boolean {
    if (this.writable) return super.write(chunk, ...(rest as [BufferEncoding]));
    // A closed stream would emit an error, which ends the program. Here, late records are dropped and counted.
    this.#sink.write(plainLines(String(chunk)));
    return true;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#sink.write(plainLines(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)));
    callback();
  }

  override _final(callback: () => void): void {
    void this.#delivery.close().then(() => callback());
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#delivery.close().then(() => callback(error));
  }
}

/** A line of pino, unchanged. Other text must not look like a control line. */
function plainLines(text: string): string {
  const isRecord = text.startsWith('{') && text.indexOf('\n') === text.length - 1;
  return isRecord ? text : text.replaceAll(CONTROL_LINE, ' $&');
}
