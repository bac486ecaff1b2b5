import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from '../environment.ts';

/** Both ends of a request over a socket. */
export class SocketConnection implements Connection {
  readonly incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.incoming = incoming;
    this.#outgoing = outgoing;
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.incoming.iterator({ destroyOnReturn: false });
  }

  onClose(listener: () => void): void {
    this.#outgoing.once('close', listener);
  }

  drop(): void {
    this.#outgoing.socket?.destroySoon();
  }

  reset(): void {
    this.#outgoing.socket?.resetAndDestroy();
  }
}
