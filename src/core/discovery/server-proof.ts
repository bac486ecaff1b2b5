import { createHmac, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { unrefTimer } from '../clock.ts';

/** Path at which a local server proves its identity. */
export const PROOF_PATH = '/instance';
/** Request header with the client's nonce. */
export const NONCE_HEADER = 'logclient-nonce';
/** Response header with the proof. */
export const PROOF_HEADER = 'logclient-proof';

/** Code of the error for a program at the address of a local server that can't prove to be that server. */
export const UNPROVEN = 'LOG_UNPROVEN';

/** A local server, and the secret that proves its identity. */
interface ServerIdentity {
  readonly url: string;
  readonly secret: string;
}

/** Addresses and ports of a connection. */
interface ConnectionEnds {
  readonly client: string;
  readonly server: string;
}

type Addresses = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/**
 * Proof that a program knows the secret of a local server. Both ends of the connection are part of it: a program that
 * forwards the nonce to the real server gets a proof for another connection.
 */
export function proofOf(secret: string, nonce: string, { client, server }: ConnectionEnds): string {
  return createHmac('sha256', secret).update([nonce, client, server].join('\n')).digest('base64url');
}

/** Whether a value is a nonce of {@link requireProof}. */
export function isNonce(value: string | undefined): value is string {
  return value !== undefined && /^[\w-]{43}$/.test(value);
}

/** The ends of a connection, seen from the client. */
function endsSeenByClient(socket: Addresses): ConnectionEnds {
  return {
    client: endOf(socket.localAddress, socket.localPort),
    server: endOf(socket.remoteAddress, socket.remotePort),
  };
}

/** The same ends, seen from the server. */
export function endsSeenByServer(socket: Addresses): ConnectionEnds {
  const { client: server, server: client } = endsSeenByClient(socket);
  return { client, server };
}

/** Sockets for both versions of IP show an IPv4 address as `::ffff:127.0.0.1`, and only one end may be such a socket. */
function endOf(address = '', port = 0): string {
  return `${address.replace(/^::ffff:/i, '').replace(/%.*/, '')} ${port}`;
}

/** The response with the proof has no body, so it ends with its headers. */
const MAX_RESPONSE_LENGTH = 4_096;

/**
 * Asks for the proof on a new connection, before anything else is sent there. Reveals only the nonce. Destroys the
 * connection if there is no proof.
 *
 * @throws Error with the code {@link UNPROVEN}, or the error of the connection
 */
export async function requireProof(socket: Socket, server: ServerIdentity, timeoutMs: number): Promise<void> {
  // Only this server can prove itself, and only once.
  const nonce = randomBytes(32).toString('base64url');
  const expire = (): unknown => socket.destroy(coded('the local server did not respond', 'ETIMEDOUT'));
  const timer = unrefTimer(setTimeout(expire, timeoutMs));
  try {
    const head = await responseHead(socket, server, nonce);
    const [status = '', ...fields] = head.split('\r\n');
    // The server is closing, or a test has scripted a failure.
    if (/^HTTP\/1\.1 5/.test(status)) throw coded(`the local server responded with ${status}`, 'ECONNRESET');
    const name = `${PROOF_HEADER}:`;
    const field = fields.find((line) => line.toLowerCase().startsWith(name));
    const proof = field?.slice(name.length).trim();
    if (proof !== proofOf(server.secret, nonce, endsSeenByClient(socket)))
      throw coded(`the program at ${server.url} is not the local server that was found there`, UNPROVEN);
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function responseHead(socket: Socket, { url }: ServerIdentity, nonce: string): Promise<string> {
  const lines = [`GET ${PROOF_PATH} HTTP/1.1`, `host: ${new URL(url).host}`, `${NONCE_HEADER}: ${nonce}`];
  return new Promise((resolve, reject) => {
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end >= 0 || head.length > MAX_RESPONSE_LENGTH)
        settle(() => resolve(head.slice(0, Math.max(0, end))));
    };
    const onError = (error: Error): void => settle(() => reject(error));
    const onClose = (): void => onError(coded('the local server closed the connection', 'ECONNRESET'));
    const settle = (done: () => void): void => {
      socket.off('data', onData).off('error', onError).off('end', onClose).off('close', onClose);
      done();
    };
    socket.on('data', onData).on('error', onError).on('end', onClose).on('close', onClose);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
