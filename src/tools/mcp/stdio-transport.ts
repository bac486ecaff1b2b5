import { EventEmitter, once } from 'node:events';
import {
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  PARSE_ERROR,
  type Transport,
} from '@modelcontextprotocol/server';
import { utf8Text } from '../../core/bytes.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { wholeLines } from '../../core/line-splitter.ts';
import { tryOr } from '../../core/try-or.ts';
import { writeOutput } from '../output/standard-output.ts';

/** How long calls wait for events after the end of stdin. Clients kill a server that does not exit within 2 s. */
const LAST_WAIT_MS = 1_000;
/** A request that is answered when the connection is closed. */
const SUBSCRIPTION = 'subscriptions/listen';

/** Messages on stdin and stdout, one per line. Every request is answered, also if stdin ends right after it. */
export class StdioTransport implements Transport {
  onclose?: Transport['onclose'];
  onmessage?: Transport['onmessage'];
  readonly #unanswered = new Set<unknown>();
  readonly #answers = new EventEmitter();
  readonly #ending = new AbortController();
  /** Aborts when calls must stop waiting for events, because stdin has ended. */
  readonly ending = this.#ending.signal;

  async start(): Promise<void> {}

  /** Delivers the messages of stdin until it has ended and every request is answered. */
  async serve(): Promise<void> {
    for await (const lines of wholeLines(process.stdin)) {
      for (const line of utf8Text(lines).split('\n')) if (line.trim() !== '') this.#receive(line);
    }
    const timer = setTimeout(() => this.#ending.abort(), LAST_WAIT_MS);
    while (this.#unanswered.size > 0) await once(this.#answers, 'answer');
    clearTimeout(timer);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await write(message);
    if (!('method' in message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #receive(line: string): void {
    const message = tryOr(undefined, () => JSON.parse(line) as unknown);
    if (isJSONRPCRequest(message)) {
      if (message.method !== SUBSCRIPTION) this.#unanswered.add(message.id);
    } else if (isJSONRPCNotification(message)) {
      // A canceled request gets no response.
      if (message.method === 'notifications/cancelled') this.#settle(message.params?.requestId);
    } else if (!isJSONRPCResponse(message)) {
      void this.#reject(message);
      return;
    }
    this.onmessage?.(message);
  }

  /** Answers what is no message of the protocol, unless it may be a response: two programs could answer each other forever. */
  async #reject(value: unknown): Promise<void> {
    const { id, result, error } = isJsonObject(value) ? value : {};
    if (result !== undefined || error !== undefined) return;
    const isKnown = typeof id === 'string' || Number.isInteger(id);
    await write({ jsonrpc: '2.0', id: isKnown ? id : null, error: problemOf(value) });
  }

  #settle(id: unknown): void {
    this.#unanswered.delete(id);
    this.#answers.emit('answer');
  }
}

async function write(message: object): Promise<void> {
  await writeOutput(`${JSON.stringify(message)}\n`);
}

/** @param value of a line; `undefined` if it is not JSON */
function problemOf(value: unknown): { readonly code: number; readonly message: string } {
  if (value === undefined)
    return { code: PARSE_ERROR, message: 'Parse error: send each message as JSON on one line.' };
  const message = Array.isArray(value)
    ? 'Invalid request: batches are not supported. Send each message on its own line.'
    : 'Invalid request: "jsonrpc" must be "2.0", "method" a string, and "id" a string or an integer.';
  return { code: INVALID_REQUEST, message };
}
