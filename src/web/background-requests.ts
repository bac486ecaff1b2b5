import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Bodies stand for their requests: undici shows nothing else of ours together with the socket. */
const bodies = new WeakSet<object>();
let isSubscribed = false;

/**
 * Lets the process end while undici sends `body` and waits for the answer. undici holds the process while a request is
 * under way and has no option against that, whichever dispatcher is used.
 */
export function sendInBackground(body: Uint8Array): void {
  bodies.add(body);
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { request: { body?: unknown }; socket: Socket };
    if (typeof request.body === 'object' && request.body !== null && bodies.has(request.body)) socket.unref();
  });
}
