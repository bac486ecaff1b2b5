import type { ClientRequest } from 'node:http';

/** A pending connection attempt keeps the process alive, so a background request must not wait for the system's limit. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Lets the process exit while the request is in flight. */
export function runInBackground(request: ClientRequest): void {
  request.once('socket', (socket) => {
    socket.unref();
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('the connection took too long'), { code: 'ETIMEDOUT' }));
    }, CONNECT_TIMEOUT_MS);
    const stop = (): void => clearTimeout(timer);
    socket.once('connect', stop).once('close', stop);
  });
}
