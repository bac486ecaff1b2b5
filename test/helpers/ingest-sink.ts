import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
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
}

export interface SinkEvent {
  timestamp: number | string;
  timezone?: string;
  attributes: Record<string, unknown>;
  rawstring?: string;
}

export interface SinkRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly groups: readonly { tags: Record<string, string>; events: readonly SinkEvent[] }[];
  readonly at: number;
  /** The size of the body, without compression. */
  readonly bodyBytes: number;
  /** The port of the connection that it came through. */
  readonly port: number | undefined;
}

/** A stand-in for the service that records what reaches it. */
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
        const received: SinkRequest = {
          path: request.url ?? '',
          headers: request.headers,
          groups: JSON.parse(plain.toString()),
          at: Date.now(),
          bodyBytes: plain.length,
          port: request.socket.remotePort,
        };
        const answer = this.answer(received, this.requests.length);
        this.requests.push(received);
        const { status = 200, headers, delayMs, bodyDelayMs, hang, reset } = await answer;
        if (hang) return;
        if (reset) {
          request.socket.destroy();
          return;
        }
        if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (status < 300) this.events.push(...received.groups.flatMap((group) => group.events));
        response.writeHead(status, headers);
        if (bodyDelayMs === undefined) response.end('{}');
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
