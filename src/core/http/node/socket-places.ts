import { abortable } from '../../abortable.ts';

/** Maximum number of sockets for short requests to one address. */
const MAX_SOCKETS = 64;

/**
 * The sockets for short requests to one address. `maxSockets` of Node's agents doesn't count connections that are being
 * opened through a proxy.
 */
export class SocketPlaces {
  /** Negative if requests wait. */
  #free = MAX_SOCKETS;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a place. Rejects with the reason of `signal` if it aborts before. */
  async enter(signal: AbortSignal): Promise<void> {
    if (this.#free-- > 0) return;
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await abortable(turn, signal).catch((error) => {
      void turn.then(() => this.leave());
      throw error;
    });
  }

  leave(): void {
    if (this.#free++ < 0) this.#waiting.shift()!();
  }
}
