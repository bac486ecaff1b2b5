import { abortable } from '../abortable.ts';
import { concatBytes, textOfChunks } from '../bytes.ts';
import { unrefTimer } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import {
  LogConnectionDroppedException,
  LogException,
  LogHTTPException,
  LogTimeoutException,
} from '../errors.ts';
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
  /** The start of a part of the body, for messages: 500 characters, with tokens redacted. @default the body of `json()` */
  excerpt?(part?: string): string;
  /** Closes the connection without reading the body. Not needed after the body is read to its end. */
  discard(): void;
}

/** The call that a response belongs to. */
export interface SentRequest extends FailedRequest {
  /** Limits the time to read the body; disposed of afterward. */
  readonly deadline: Deadline;
  readonly onEnd?: ((response?: WebResponse, error?: unknown) => void) | undefined;
}

type ResponseHead = Pick<WebResponse, 'statusCode' | 'method' | 'path'> & Partial<WebResponse>;

/** The IDs in a response. The path of a request for a query job has the ID of the job. */
export function serviceIds(response: Partial<WebResponse> = {}, path = response.path ?? '') {
  return {
    queryId: response.header?.('humio-query-id') ?? /\/queryjobs\/([^/]+)/.exec(path)?.[1],
    requestId: response.header?.('x-cs-traceid') ?? response.header?.('x-request-id'),
  };
}

/** The exception for a successful response with an unexpected body. */
export function badAnswer(
  response: ResponseHead,
  message: string,
  body = response.excerpt?.() ?? '',
): LogHTTPException {
  const { statusCode, method, path } = response;
  const details = { code: 'LOG_BAD_ANSWER', statusCode, method, path, body } as const;
  return new LogHTTPException(message, { ...details, ...serviceIds(response) });
}

/** The same, with a message that names the request: `The response to GET /path has no status.` */
export function badResponse(response: ResponseHead, problem: string, body?: string): LogHTTPException {
  return badAnswer(response, `The response to ${response.method} ${response.path} ${problem}.`, body);
}

export class HttpWebResponse implements WebResponse {
  readonly statusCode: number;
  readonly method: string;
  readonly path: string;
  readonly #answer: HttpResponse;
  readonly #request: SentRequest;
  #failure: unknown;
  #isTaken = false;
  #json = '';
  /** Maximum time without a byte while the body is read, in milliseconds. */
  idleTimeoutMs = Number.POSITIVE_INFINITY;
  /** The option with this time. `timeoutMs` then doesn't limit the total. */
  idleOption: 'idleTimeoutMs' | 'timeoutMs' = 'idleTimeoutMs';

  constructor(answer: HttpResponse, request: SentRequest) {
    this.#answer = answer;
    this.#request = request;
    this.statusCode = answer.statusCode;
    this.method = request.method;
    this.path = request.path;
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
    this.#json = await this.text();
    try {
      return JSON.parse(this.#json) as T;
    } catch {
      // The parser's message quotes the text, so it is not the cause.
      throw badResponse(this, 'is not JSON');
    }
  }

  excerpt(part = this.#json): string {
    return this.#request.redactor(part).slice(0, 500);
  }

  discard(): void {
    this.#isTaken = true;
    this.#answer.destroy();
    this.#request.deadline[Symbol.dispose]();
    this.#request.onEnd?.(this, this.#failure);
  }

  async *#read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#isTaken)
      throw new LogException('The body of this response has already been read or discarded.');
    this.#isTaken = true;
    const { deadline } = this.#request;
    let iterator: AsyncIterator<Uint8Array> | undefined;
    try {
      iterator = this.#answer.body[Symbol.asyncIterator]();
      if (this.idleOption === 'timeoutMs') deadline.clearTimeout();
      for (;;) {
        const chunk = abortable(iterator.next(), deadline.signal);
        const { done, value } = await chunk.finally(this.#startIdleTimer());
        if (done) return;
        yield value;
      }
    } catch (error) {
      this.#failure = deadline.signal.aborted ? deadline.signal.reason : this.#bodyException(error);
      throw this.#failure;
    } finally {
      this.discard();
      // Releases the connection.
      iterator?.return?.().catch(() => {});
    }
  }

  #bodyException(error: unknown): LogException {
    if (error instanceof UnreadableBodyError) return badResponse(this, `can't be decoded: ${error.message}`);
    return droppedException(error, this.#request, serviceIds(this));
  }

  /**
   * A dead connection, such as that of a laptop that slept, can stay open without an error.
   *
   * @returns a function that stops the timer.
   */
  #startIdleTimer(): () => void {
    const { idleTimeoutMs } = this;
    if (!Number.isFinite(idleTimeoutMs)) return () => {};
    const drop = (): void => this.#request.deadline.abort(this.#silence());
    // After a pause of the process, data that arrived in the meantime is read first.
    let timer = setTimeout(() => {
      timer = setTimeout(drop, 0);
    }, idleTimeoutMs);
    if (this.idleOption === 'idleTimeoutMs') unrefTimer(timer);
    return () => clearTimeout(timer);
  }

  #silence(): LogException {
    const { idleTimeoutMs: limitMs, idleOption } = this;
    const message = `${this.#request.host} has sent nothing for ${limitMs} ms (${idleOption}).`;
    if (idleOption === 'timeoutMs') return new LogTimeoutException(message, limitMs, serviceIds(this));
    return new LogConnectionDroppedException(message, serviceIds(this));
  }
}
