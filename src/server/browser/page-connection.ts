import { type Connection, chunksOf } from '../environment.ts';

export interface PageConnectionOptions {
  readonly body: string | Blob;
  /** Called as the body is read, with the number of bytes so far. */
  readonly onProgress?: (bytes: number) => void;
  /** Called if the response can't be completed. */
  readonly onLost?: () => void;
}

/** The connection of a request that a page sends to the server inside of it. */
export class PageConnection implements Connection {
  readonly #options: PageConnectionOptions;
  readonly #listeners: (() => void)[] = [];

  constructor(options: PageConnectionOptions) {
    this.#options = options;
  }

  /** Not the body of `Request`, which Firefox lacks. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const { body, onProgress } = this.#options;
    if (typeof body === 'string') {
      yield new TextEncoder().encode(body);
      return;
    }
    let bytes = 0;
    for await (const chunk of chunksOf(body.stream())) {
      yield chunk;
      bytes += chunk.byteLength;
      onProgress?.(bytes);
    }
  }

  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells the server that the response is complete, or that the page wants none anymore. */
  close(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  drop(): void {
    this.#options.onLost?.();
  }

  reset(): void {
    this.drop();
  }
}
