import { abortable } from '../../abortable.ts';
import { MINUTE_MS } from '../../epoch.ts';

/** An access token, as the token endpoint issues it. */
export interface IssuedToken {
  readonly value: string;
  readonly lifetimeMs: number;
}

/** Holds the access token of a client. However many calls wait for a token, only one request is made. */
export class AccessToken {
  readonly #issue: () => Promise<IssuedToken>;
  #value: string | undefined;
  #renewAt = 0;
  #pending: Promise<string> | undefined;

  /** @param issue requests a new token. */
  constructor(issue: () => Promise<IssuedToken>) {
    this.#issue = issue;
  }

  /** Returns the token, renewed a minute before it expires, or after half of a lifetime shorter than two minutes. */
  get(signal?: AbortSignal): Promise<string> {
    if (this.#value !== undefined && Date.now() < this.#renewAt) return Promise.resolve(this.#value);
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return signal === undefined ? this.#pending : abortable(this.#pending, signal);
  }

  /** Drops a token that the service rejected, unless it was renewed in the meantime. */
  drop(value: string): void {
    if (this.#value === value) this.#value = undefined;
  }

  async #renew(): Promise<string> {
    const requestedAt = Date.now();
    const { value, lifetimeMs } = await this.#issue();
    this.#value = value;
    this.#renewAt = requestedAt + Math.max(lifetimeMs / 2, lifetimeMs - MINUTE_MS);
    return value;
  }
}
