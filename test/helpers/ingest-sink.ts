import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type HecFailure, type HecObject, readHecBody } from './hec-body.ts';
import { SELF_SIGNED } from './tls.ts';

/** What the sink does with a request: a status (200 unless said otherwise), headers, a delay, or no answer at all. */
export interface SinkAnswer {
  status?: number;
  headers?: Record<string, string>;
  delayMs?: number;
  /** Between the headers and the end of the answer. */
  bodyDelayMs?: number;
  /** Never answers. */
  hang?: boolean;
  /** Destroys the socket. */
  reset?: boolean;
  /** The body of the answer. */
  body?: string;
}

export interface SinkEvent {
  timestamp: number | string;
  timezone?: string;
  attributes: Record<string, unknown>;
  rawstring?: string;
}

interface SinkGroup {
  readonly tags: Record<string, string>;
  readonly events: readonly SinkEvent[];
}

export interface SinkRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly groups: readonly SinkGroup[];
  /** What the event collector got. */
  readonly objects: readonly HecObject[];
  /** Why the collector did not get all. */
  readonly failure: HecFailure | undefined;
  readonly at: number;
  /** The size of the body, without compression. */
  readonly bodyBytes: number;
  /** The port of the connection that it came through. */
  readonly port: number | undefined;
}

/**
 * A stand-in for the service, and for Splunk's event collector, that records what reaches it. The collector stores the
 * events before an invalid one.
 */
export class IngestSink {
  /** All requests, also those that were not accepted. */
  readonly requests: SinkRequest[] = [];
  /** The events of accepted requests, in order. */
  readonly events: SinkEvent[] = [];
  /** Asked for each request; the index counts from 0. */
  answer: (request: SinkRequest, index: number) => SinkAnswer | Promise<SinkAnswer> = () => ({});
  readonly #server: Server;
  readonly #protocol: string;

  private constructor(isSecure: boolean) {
    this.#protocol = isSecure ? 'https' : 'http';
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', async () => {
        const body = Buffer.concat(chunks);
        const isGzip = request.headers['content-encoding'] === 'gzip';
        const plain = isGzip ? gunzipSync(body) : body;
        const content = readBody(request.url ?? '', plain.toString());
        const received: SinkRequest = {
          path: request.url ?? '',
          headers: request.headers,
          groups: content.groups,
          objects: content.objects,
          failure: content.failure,
          at: Date.now(),
          bodyBytes: plain.length,
          port: request.socket.remotePort,
        };
        const answer = this.answer(received, this.requests.length);
        this.requests.push(received);
        const {
          status = content.status,
          headers,
          delayMs,
          bodyDelayMs,
          hang,
          reset,
          body: own,
        } = await answer;
        if (hang) return;
        if (reset) {
          request.socket.destroy();
          return;
        }
        if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (status < 300 || status === content.status)
          this.events.push(...received.groups.flatMap((group) => group.events));
        response.writeHead(status, headers);
        if (bodyDelayMs === undefined) response.end(own ?? content.answer);
        else {
          response.flushHeaders();
          setTimeout(() => response.end('{}'), bodyDelayMs);
        }
      });
    };
    this.#server = isSecure ? createSecureServer(SELF_SIGNED, listener) : createServer(listener);
    // A connection that holds a process does so for longer than that may take in a test.
    this.#server.keepAliveTimeout = 300_000;
  }

  /** @param isSecure whether it speaks TLS, with a self-signed certificate. */
  static async open({ isSecure = false } = {}): Promise<IngestSink> {
    const sink = new IngestSink(isSecure);
    await new Promise<void>((resolve) => sink.#server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get url(): string {
    return `${this.#protocol}://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Closes the connections that clients have kept, and those of requests under way. */
  closeConnections(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

interface Content extends Pick<SinkRequest, 'groups' | 'objects' | 'failure'> {
  /** Unless the test says otherwise. */
  readonly status: number;
  readonly answer: string;
}

function readBody(path: string, text: string): Content {
  if (!/hec|collector/.test(path)) {
    return { groups: JSON.parse(text), objects: [], failure: undefined, status: 200, answer: '{}' };
  }
  const { objects, failure } = readHecBody(text);
  const answer: HecFailure | object = failure ?? { text: 'Success', code: 0 };
  return {
    groups: objects.map(groupOf),
    objects,
    failure,
    status: failure === undefined ? 200 : 400,
    answer: JSON.stringify(answer),
  };
}

function groupOf({ time = 0, event, fields = {} }: HecObject): SinkGroup {
  const isText = typeof event === 'string';
  const timestamp = Math.round(time * 1_000);
  const attributes = isText ? {} : (event as Record<string, unknown>);
  return { tags: { ...fields }, events: [{ timestamp, attributes, ...(isText && { rawstring: event }) }] };
}
