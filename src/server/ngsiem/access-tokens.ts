import { sign } from 'hono/jwt';
import type { ServerClock } from '../clock.ts';
import { randomHex } from '../registries/resource-id.ts';

interface AccessTokensOptions {
  readonly clock: ServerClock;
  readonly clientId: string;
  readonly lifetimeMs: number;
}

/** The access tokens of an API client: JWTs that expire or are revoked. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #secret = randomHex(32);
  readonly #expiry = new Map<string, number>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /** Issues a token. `expiresIn` is in seconds, rounded down. */
  async issue(): Promise<{ token: string; expiresIn: number }> {
    const { clock, clientId, lifetimeMs } = this.#options;
    const now = clock.now();
    const expiry = now + lifetimeMs;
    const iat = Math.floor(now / 1000);
    const exp = Math.floor(expiry / 1000);
    const claims = { client_id: clientId, sub: clientId, sub_type: 'client', jti: crypto.randomUUID() };
    const token = await sign({ ...claims, iat, nbf: iat, exp }, this.#secret, 'HS256');
    for (const [known, end] of this.#expiry) if (end <= now) this.#expiry.delete(known);
    this.#expiry.set(token, expiry);
    return { token, expiresIn: Math.floor(lifetimeMs / 1000) };
  }

  isValid(token: string): boolean {
    return (this.#expiry.get(token) ?? Number.NEGATIVE_INFINITY) > this.#options.clock.now();
  }

  revoke(token: string): void {
    this.#expiry.delete(token);
  }
}
