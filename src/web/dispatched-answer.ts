import type { Dispatcher } from 'undici';

/** How much of a body may wait for its reader before the connection is not read any more. */
const MAX_WAITING_BYTES = 64 * 1024;

type Headers = ReadonlyMap<string, string>;

/**
 * The answer to one request, as a dispatcher hands it over. undici's own `request` makes a Node stream of the body,
 * which takes as long again as all the rest of receiving it.
 */
export class DispatchedAnswer implements Dispatcher.DispatchHandler, AsyncIterable<Uint8Array> {
  statusCode = 0;
  #headers: Headers = new Map();
  #abort: ((reason: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Whether the end of the answer, or an error in its place, has come. */
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  /** Tells who waits for the head or for more of the body that there is news. */
  #wake: () => void = () => {};
  #stopListening: () => void = () => {};

  /**
   * Sends the request. Resolves with the head of its answer, and rejects with what the dispatcher reports, or with the
   * reason of `signal`, which ends the reading of the body too.
   */
  static async to(
    dispatcher: Dispatcher,
    options: Dispatcher.DispatchOptions,
    signal: AbortSignal,
  ): Promise<DispatchedAnswer> {
    signal.throwIfAborted();
    const answer = new DispatchedAnswer();
    const onAbort = (): void => answer.#end(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    answer.#stopListening = () => signal.removeEventListener('abort', onAbort);
    try {
      dispatcher.dispatch(options, answer);
    } catch (error) {
      answer.onError(error as Error);
    }
    while (answer.statusCode === 0) {
      if (answer.#failure !== undefined) throw answer.#failure.error;
      await answer.#news();
    }
    return answer;
  }

  /** @param name in lower case */
  header(name: string): string | undefined {
    return this.#headers.get(name);
  }

  /** Closes the connection if the body has not arrived as a whole. */
  destroy(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#end(new Error('The rest of the answer is not wanted.'));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunk = this.#take();
        if (chunk !== undefined) yield chunk;
        else if (this.#failure !== undefined) throw this.#failure.error;
        else if (this.#isOver) return;
        else await this.#news();
      }
    } finally {
      this.destroy();
    }
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort;
    // It may have been given up before there was a connection.
    if (this.#failure !== undefined) abort(this.#failure.error as Error);
  }

  onHeaders(statusCode: number, headers: readonly (Buffer | Buffer[])[], resume: () => void): boolean {
    // What comes before the answer, such as 103.
    if (statusCode < 200) return true;
    this.statusCode = statusCode;
    this.#headers = readHeaders(headers);
    this.#resume = resume;
    this.#wake();
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    // Mocks hand an empty body over as an empty chunk.
    if (this.#isOver || chunk.byteLength === 0) return true;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.byteLength;
    this.#wake();
    return this.#waitingBytes < MAX_WAITING_BYTES;
  }

  onComplete(): void {
    this.#finish();
  }

  onError(error: Error): void {
    this.#failure ??= { error };
    this.#finish();
  }

  #end(reason: unknown): void {
    if (this.#isOver) return;
    this.#failure ??= { error: reason };
    this.#finish();
    this.#abort?.(reason as Error);
  }

  #finish(): void {
    this.#isOver = true;
    this.#stopListening();
    this.#wake();
  }

  #take(): Uint8Array | undefined {
    const chunk = this.#waiting.shift();
    if (chunk === undefined) return undefined;
    const wasFull = this.#waitingBytes >= MAX_WAITING_BYTES;
    this.#waitingBytes -= chunk.byteLength;
    if (wasFull && this.#waitingBytes < MAX_WAITING_BYTES) this.#resume?.();
    return chunk;
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Names and values in turns, as undici hands them over. */
function readHeaders(list: readonly (Buffer | Buffer[])[]): Headers {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = String(list[at]).toLowerCase();
    const value = [list[at + 1]].flat().join(', ');
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}
