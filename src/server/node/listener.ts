import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LogOptionsException } from '../../core/errors.ts';
import { sentence } from '../../core/sentence.ts';
import type { RequestHandler } from '../environment.ts';
import { rejectHttp2 } from './http2-connection.ts';
import type { LazyHttpApi } from './lazy-http-api.ts';

export class OpenSockets {
  readonly #busy = new Map<Socket, number>();
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#busy.set(socket, 0);
      socket.once('close', () => this.#busy.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1);
      response.once('close', () => this.#count(socket, -1));
    });
  }

  /**
   * Ends every socket once it is idle. A socket closes after its client has also ended it, so clients never reuse an
   * idle connection to a closed server.
   */
  endWhenIdle(): void {
    this.#closing = true;
    for (const [socket, requests] of this.#busy) if (requests === 0) socket.end();
  }

  cutAll(): void {
    for (const socket of this.#busy.keys()) socket.resetAndDestroy();
  }

  #count(socket: Socket, change: number): void {
    const requests = (this.#busy.get(socket) ?? 0) + change;
    if (this.#busy.has(socket)) this.#busy.set(socket, requests);
    if (this.#closing && requests === 0) socket.end();
  }
}

/** Maximum time that `close` waits for responses in flight, in milliseconds. */
const CLOSE_GRACE_MS = 1000;

export interface Listener {
  readonly url: string;
  /** Lets the process exit while the port is open, also after {@link resume}. */
  unref(): void;
  /** Stops listening and drops all connections. */
  pause(): Promise<void>;
  /** Listens again, on the same port. @throws LogOptionsException if another program uses it now */
  resume(): Promise<void>;
  /** Stops listening, waits for responses in flight, then drops the remaining connections. */
  close(): Promise<void>;
}

/** @throws LogOptionsException if it can't listen on the port or host. */
export async function listen(api: LazyHttpApi, port: number, host: string): Promise<Listener> {
  const { handle, respond } = api;
  const server = createServer(respond);
  const sockets = new OpenSockets(server);
  server.on('clientError', (error: ClientError, socket: Socket) => onClientError(error, socket, handle));
  await startListening(server, port, host, listenException);
  const { port: actualPort } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name === '0.0.0.0' || name === '[::]' ? 'localhost' : name}:${actualPort}`,
    unref: () => void server.unref(),
    pause: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      sockets.cutAll();
      return closed;
    },
    resume: () => startListening(server, actualPort, host, takenException),
    close: () => closeServer(server, sockets),
  };
}

interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** Node's own responses, which it sends only without a `clientError` listener. */
const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function onClientError({ code = '', rawPacket }: ClientError, socket: Socket, handle: RequestHandler): void {
  if (code === 'HPE_PAUSED_H2_UPGRADE') return void rejectHttp2(socket, rawPacket!, handle);
  const status = CLIENT_ERRORS[code] ?? '400 Bad Request';
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.destroy();
}

async function startListening(
  server: Server,
  port: number,
  host: string,
  exceptionOf: typeof listenException,
): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch((error) => {
    throw exceptionOf(error, port, host);
  });
}

function closeServer(server: Server, sockets: OpenSockets): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    // `close` would destroy idle sockets before their clients notice.
    server.closeIdleConnections = () => {};
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    sockets.endWhenIdle();
  });
}

function takenException(error: NodeJS.ErrnoException, port: number, host: string): LogOptionsException {
  const problem =
    error.code === 'EADDRINUSE' ? 'another program started using it while it was closed' : error.message;
  const message = sentence(`faults.openPort: can't listen on port ${port} of ${host} again: ${problem}`);
  return new LogOptionsException(message, { cause: error });
}

function listenException(error: NodeJS.ErrnoException, port: number, host: string): LogOptionsException {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is in use. Set the option "port" to another one; 0 picks a free one.`,
    EACCES: `no permission to listen on port ${port} of ${host}. Set the option "port" to one above 1023, or to 0.`,
    EADDRNOTAVAIL: `${host} is not an address of this computer. Set the option "host" to one, such as 127.0.0.1.`,
    ENOTFOUND: `the host "${host}" is unknown. Set the option "host" to an address of this computer, such as 127.0.0.1.`,
  };
  const reason =
    reasons[error.code ?? ''] ?? sentence(`can't listen on port ${port} of ${host}: ${error.message}`);
  return new LogOptionsException(`startLocalServer: ${reason}`, { cause: error });
}
