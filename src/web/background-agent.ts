import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { Agent, buildConnector } from './undici-parts.ts';

/**
 * How long a connection may take. While one is being made, nothing can let the process end, so it must not take as
 * long as undici would wait; TCP has asked three times by then.
 */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The dispatcher of requests in the background: as undici's default one, but its connections don't keep the process
 * alive. They are shared with nobody who waits for an answer.
 */
export class BackgroundAgent {
  readonly dispatcher: Dispatcher;
  readonly #connecting = new Set<Socket>();

  constructor() {
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
    this.dispatcher = new Agent({
      connect: (options, callback) => {
        // It returns the socket, which its type does not say.
        const socket = connect(options, (...result) => {
          this.#connecting.delete(socket);
          callback(...result);
        }) as unknown as Socket;
        this.#connecting.add(socket);
        socket.unref();
        // undici would hold the process while a request is under way.
        socket.ref = () => socket;
      },
    });
  }

  /** Gives up connections that are still being made. undici makes them to their end, whether somebody waits or not. */
  dropConnecting(): void {
    for (const socket of this.#connecting)
      socket.destroy(new Error('The connection was not needed any more.'));
  }
}
