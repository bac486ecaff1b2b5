import { abortable } from '../abortable.ts';
import { concatBytes, textOfChunks } from '../bytes.ts';
import { unrefTimer } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { LogConnectionDroppedException, LogException, LogHTTPException } from '../errors.ts';
import { droppedException, type FailedRequest } from './connection-error.ts';
import { type HttpResponse, UnreadableBodyError } from './http-adapter.ts';

/** Larger than any lookup file. */
const MAX_BYTES = 2 ** 31;

/** Half the maximum length of a string. */
const MAX_TEXT_BYTES = 2 ** 28;

/** A response of the service. Its body can be read once, with one of the members below. */
export interface WebResponse {
  readonly statusCode: number;
  /** Method of the request. */
  readonly method: string;
  /** Path of the request, without the query string. */
  readonly path: string;
  /** Returns the value of a header. @param name in lower case. */
  header(name: string): string | undefined;
  /** Body as it arrives. Leaving the loop closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Returns the body, decoded as UTF-8.
   *
   * @throws LogHTTPException with the code `LOG_BAD_ANSWER` if it is larger than 256 MiB
   */
  text(): Promise<string>;
  /** @throws LogHTTPException with the code `LOG_BAD_ANSWER` if the body is not JSON. */
  json<T = unknown>(): Promise<T>;
  /**
   * Returns the decompressed body.
   *
   * @param maxBytes maximum size in bytes. @default 2 GiB
   * @throws LogHTTPException with the code `LOG_BAD_ANSWER` if it is larger
   */
  bytes(maxBytes?: number): Promise<Uint8Array>;
  /** The start of a part of the body, for messages: 500 characters, with tokens redacted. */
  excerpt?(part: string): string;
  /** Closes the connection without reading the body. Not needed after the body is read to its end. */
  discard(): void;
}

/** The call that a response belongs to. */
export interface SentRequest extends FailedRequest {
  /** Limits the time to read the body; disposed of afterward. */
  readonly deadline: Deadline;
}

type ResponseHead = Pick<WebResponse, 'statusCode' | 'method' | 'path'>;

/** The exception for a successful response with an unexpected body. */
export function badAnswer(
  { statusCode, method, path }: ResponseHead,
  message: string,
  body = '',
): LogHTTPException {
  return new LogHTTPException(message, { code: 'LOG_BAD_ANSWER', statusCode, method, path, body });
}

/** The same, with a message that names the request: `The response to GET /path has no status.` */
export function badResponse(response: ResponseHead, problem: string, body?: string): LogHTTPException {
  return badAnswer(response, `The response to ${response.method} ${response.path} ${problem}.`, body);
}

export class HttpWebResponse implements WebResponse {
  readonly #answer: HttpResponse;
  readonly #request: SentRequest;
  #isTaken = false;
  /** Maximum time without a byte while the body is read, in milliseconds. */
  idleTimeoutMs = Number.POSITIVE_INFINITY;

  constructor(answer: HttpResponse, request: SentRequest) {
    this.#answer = answer;
    this.#request = request;
  }

  get statusCode(): number {
    return this.#answer.statusCode;
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.#request.path;
  }

  header(name: string): string | undefined {
    return this.#answer.header(name);
  }

  get body(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.#read() };
  }

  async bytes(maxBytes = MAX_BYTES): Promise<Uint8Array> {
    return concatBytes(await this.#chunks(maxBytes));
  }

  async #chunks(maxBytes: number): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size <= maxBytes) continue;
      const advice = 'Request less data at a time, or read the response as a stream';
      throw badResponse(this, `is larger than ${maxBytes} bytes. ${advice}`);
    }
    return chunks;
  }

  async text(): Promise<string> {
    return textOfChunks(await this.#chunks(MAX_TEXT_BYTES));
  }

  async json<T = unknown>(): Promise<T> {
    const text = await this.text();
    try {
      return JSON.parse(text) as T;
    } catch {
      // The parser's message quotes the text, so it is not the cause.
      throw badResponse(this, 'is not JSON', this.excerpt(text));
    }
  }

  excerpt(part: string): string {
    return this.#request.redactor.redact(part).slice(0, 500);
  }

  discard(): void {
    this.#isTaken = true;
    this.#answer.destroy();
    this.#request.deadline[Symbol.dispose]();
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#isTaken)
      throw new LogException('The body of this response has already been read or discarded.');
    this.#isTaken = true;
    const { deadline } = this.#request;
    let iterator: AsyncIterator<Uint8Array> | undefined;
    try {
      iterator = this.#answer.body[Symbol.asyncIterator]();
      for (;;) {
        const chunk = abortable(iterator.next(), deadline.signal);
        const { done, value } = await chunk.finally(this.#startIdleTimer());
        if (done) return;
        yield value;
      }
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      if (error instanceof UnreadableBodyError) throw badResponse(this, `can't be decoded: ${error.message}`);
      throw droppedException(error, this.#request);
    } finally {
      this.discard();
      // Releases the connection.
      iterator?.return?.().catch(() => {});
    }
  }

  /**
   * A dead connection, such as that of a laptop that slept, can stay open without an error.
   *
   * @returns a function that stops the timer.
   */
  #startIdleTimer(): () => void {
    const { idleTimeoutMs } = this;
    if (!Number.isFinite(idleTimeoutMs)) return () => {};
    const { deadline, host } = this.#request;
    const message = `${host} has sent nothing for ${idleTimeoutMs} ms (idleTimeoutMs).`;
    const drop = (): void => deadline.abort(new LogConnectionDroppedException(message));
    // After a pause of the process, data that arrived in the meantime is read first.
    let timer = unrefTimer(
      setTimeout(() => {
        timer = unrefTimer(setTimeout(drop, 0));
      }, idleTimeoutMs),
    );
    return () => clearTimeout(timer);
  }
}
