import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';
import type { RequestHandler } from '../environment.ts';

const UNIMPLEMENTED = 12;

/**
 * Serves an HTTP/2 connection. gRPC requests get the server's error as a gRPC status, which OpenTelemetry exporters
 * print. Other requests get a 505.
 *
 * @param start The bytes already read from the socket.
 */
export async function rejectHttp2(socket: Socket, start: Buffer, handle: RequestHandler): Promise<void> {
  // The HTTP/1.1 parser must not read further.
  socket.removeAllListeners('data').pause();
  // Not `import()`, which Jest rejects in CommonJS.
  const { createServer } = process.getBuiltinModule('node:http2');
  if (socket.destroyed) return;
  const server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    respond(stream, headers, handle).catch(() => stream.destroy());
  });
  socket.unshift(start);
  server.emit('connection', socket);
  // The session reads the buffered bytes first.
  setImmediate(() => socket.resume());
}

async function respond(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  handle: RequestHandler,
): Promise<void> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/grpc')) return stream.respond({ ':status': 505 }, { endStream: true });
  const url = new URL(headers[':path'] ?? '', `http://${headers[':authority']}`);
  const { host } = url;
  const { authorization = '', 'user-agent': client = '' } = headers;
  const request = {
    method: 'POST',
    headers: { host, authorization, 'content-type': type, 'user-agent': client },
  };
  const message = await (await handle(new Request(url, request))).text();
  const status = { 'grpc-status': UNIMPLEMENTED, 'grpc-message': encodeURI(message) };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
}
