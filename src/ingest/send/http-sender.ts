import { TextDecoder } from 'node:util';
import type { WebResponse } from '../../core/http/web-response.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { World } from '../world.ts';
import { isReset } from './classify-error.ts';
import type { Call, Reply, SendOutcome } from './sender.ts';
import type { ServiceCheck } from './service-check.ts';

/** The response to a batch has two bytes. A connection with a response over this size is not reused. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Makes one attempt to send a batch to the ingest API. */
export class HttpSender {
  readonly #caller: ReturnType<World['openCaller']>;
  readonly #check: ServiceCheck;
  /** True if a kept connection may have been closed by the service meanwhile. */
  #mayBeStale = false;

  constructor(options: ResolvedIngesterOptions, check: ServiceCheck, world: World) {
    this.#check = check;
    const { baseUrl, ...connection } = options.connection;
    this.#caller = world.openCaller(baseUrl, {
      ...connection,
      timeoutMs: options.requestTimeoutMs,
      secrets: [options.token],
      redactText: check.redactText,
      background: true,
      followed: check.followed,
    });
  }

  async send(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const outcome = await this.#attempt(batch, signal);
    if (outcome.kind !== 'retryable' || !isReset(outcome.error) || !this.#mayBeStale) return outcome;
    // Services close idle connections, which is often noticed only by the next request. Not a failure yet.
    this.#mayBeStale = false;
    return this.#attempt(batch, signal);
  }

  async #attempt(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const calls = this.#check.attempt(batch);
    let next = calls.next();
    while (!next.done) next = calls.next(await this.#call(next.value, signal));
    return next.value;
  }

  async #call({ verb, path, headers, body }: Call, signal: AbortSignal): Promise<Reply> {
    try {
      const response = await this.#caller.callPath(verb, path, { data: body, headers, signal });
      const reply = await readBody(response);
      this.#mayBeStale = true;
      return reply;
    } catch (error) {
      return { error: signal.aborted ? new Error('stopped before the service responded') : error };
    }
  }
}

/** Reads the body, so that the connection can be reused. */
async function readBody(response: Pick<WebResponse, 'body'>): Promise<Reply> {
  const decoder = new TextDecoder();
  let body = '';
  try {
    for await (const chunk of response.body) {
      body += decoder.decode(chunk, { stream: true });
      if (body.length > MAX_RESPONSE_BYTES) return { body };
    }
    return { body, isComplete: true };
  } catch (error) {
    return { body, error };
  }
}
