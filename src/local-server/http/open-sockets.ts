import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
   * Ends every socket as soon as it is not busy. Node's own `closeIdleConnections` leaves those alone that have
   * never carried a request (clients open some in advance) or that become idle only later.
   */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const [socket, requests] of this.#busy) if (requests === 0) socket.destroySoon();
  }

  cutAll(): void {
    for (const socket of this.#busy.keys()) socket.resetAndDestroy();
  }

  #count(socket: Socket, change: number): void {
    const requests = (this.#busy.get(socket) ?? 0) + change;
    if (this.#busy.has(socket)) this.#busy.set(socket, requests);
    if (this.#closing && requests === 0) socket.destroySoon();
  }
}
