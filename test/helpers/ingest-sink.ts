import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type HecFailure, type HecObject, readHecBody } from './hec-body.ts';
import { SELF_SIGNED } from './tls.ts';

/** How the sink responds to a request: a status (default: 200), headers, a delay, or no response. */
export interface SinkAnswer {
  status?: number;
  headers?: Record<string, string>;
  delayMs?: number;
  /** Delay between the headers and the end of the response. */
  bodyDelayMs?: number;
  /** Never responds. */
  hang?: boolean;
  /** Destroys the socket. */
  reset?: boolean;
  /** The response body. */
  body?: string;
  /** Destroys the socket after the body. */
  cutAfterBody?: boolean;
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
  /** The valid objects before the first invalid one. */
  readonly objects: readonly HecObject[];
  /** Why the collector rejected the rest. */
  readonly failure: HecFailure | undefined;
  readonly at: number;
  /** Size of the uncompressed body. */
  readonly bodyBytes: number;
  /** Port of the client's connection. */
  readonly port: number | undefined;
}

/**
 * A stand-in for the service, and for Splunk's event collector, that records requests. The collector stores the events
 * before an invalid one.
 */
export class IngestSink {
  /** All requests, including rejected ones. */
  readonly requests: SinkRequest[] = [];
  /** The events of accepted requests, in order. */
  readonly events: SinkEvent[] = [];
  /** Called for each request; the index starts at 0. */
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
          cutAfterBody,
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
        if (cutAfterBody) response.write(own, () => request.socket.destroy());
        else if (bodyDelayMs === undefined) response.end(own ?? content.answer);
        else {
          response.flushHeaders();
          setTimeout(() => response.end('{}'), bodyDelayMs);
        }
      });
    };
    this.#server = isSecure ? createSecureServer(SELF_SIGNED, listener) : createServer(listener);
    // Longer than any test, to detect connections that keep a process alive.
    this.#server.keepAliveTimeout = 300_000;
  }

  /** @param isSecure whether it uses TLS, with a self-signed certificate. */
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

  /** Closes idle connections, and those of requests in flight. */
  closeConnections(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

interface Content extends Pick<SinkRequest, 'groups' | 'objects' | 'failure'> {
  /** The default status. */
  readonly status: number;
  readonly answer: string;
}

function readBody(path: string, text: string): Content {
  if (!/hec|collector/.test(path)) {
    return {
      groups: text === '' ? [] : JSON.parse(text),
      objects: [],
      failure: undefined,
      status: 200,
      answer: '{}',
    };
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
