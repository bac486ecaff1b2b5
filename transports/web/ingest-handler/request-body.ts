import { abortable } from '../../../src/core/abortable.ts';
import { startDeadline } from '../../../src/core/deadline.ts';
import { busy, Rejection } from './rejection.ts';

const CONTENT_TYPES = ['application/json', 'text/plain'];

const MAX_BODY_MS = 10_000;
const MAX_BODIES = 100;
/** A client must not use up the places of all clients. */
const MAX_BODIES_PER_CLIENT = 10;

/** Reads the bodies of requests. Slow clients use up neither memory nor connections. */
export class BodyReader {
  readonly #maxBytes: number;
  /** Requests whose bodies are arriving, with their clients. */
  readonly #reading = new Map<Request, string | undefined>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws Rejection if the body is too large or too slow, or not JSON. The rest of a large body is not read. */
  async readJson(request: Request, client: string | undefined): Promise<unknown> {
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
    if (type === undefined || !CONTENT_TYPES.includes(type)) {
      throw new Rejection(415, 'invalid', `The content type must be ${CONTENT_TYPES.join(' or ')}.`);
    }
    if (Number(request.headers.get('content-length')) > this.#maxBytes) throw tooLarge(this.#maxBytes);
    const text = await this.#readText(request, client);
    try {
      return JSON.parse(text);
    } catch {
      throw new Rejection(400, 'invalid', 'The body is not JSON.');
    }
  }

  async #readText(request: Request, client: string | undefined): Promise<string> {
    const own = [...this.#reading.values()].filter((other) => other !== undefined && other === client);
    if (this.#reading.size >= MAX_BODIES || own.length >= MAX_BODIES_PER_CLIENT) {
      throw busy('Too many requests are arriving.');
    }
    this.#reading.set(request, client);
    const deadline = startDeadline({ timeoutMs: MAX_BODY_MS, what: 'The body', background: true });
    try {
      return await abortable(textOf(request, this.#maxBytes, deadline.signal), deadline.signal);
    } catch (error) {
      if (error instanceof Rejection) throw error;
      if (deadline.signal.aborted) {
        throw new Rejection(408, 'invalid', `The body did not arrive within ${MAX_BODY_MS / 1_000} s.`);
      }
      throw new Rejection(400, 'invalid', 'The request ended before its body was complete.');
    } finally {
      this.#reading.delete(request);
      deadline[Symbol.dispose]();
    }
  }
}

async function textOf({ body }: Request, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    signal.throwIfAborted();
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function tooLarge(maxBytes: number): Rejection {
  return new Rejection(413, 'tooLarge', `The body is larger than ${maxBytes} bytes.`);
}
