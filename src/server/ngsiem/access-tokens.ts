import { sign } from 'hono/jwt';
import { randomHex } from '../../core/bytes.ts';
import type { ServerClock } from '../clock.ts';

export type AccessTokens = ReturnType<typeof accessTokens>;

/** The access tokens of an API client: JWTs that expire or are revoked. */
export function accessTokens(clock: ServerClock, clientId: string, lifetimeMs: number) {
  const secret = randomHex(32);
  const expiries = new Map<string, number>();
  return {
    /** Issues a token. `expiresIn` is in seconds, rounded down. */
    async issue(): Promise<{ token: string; expiresIn: number }> {
      const now = clock.now();
      const expiry = now + lifetimeMs;
      const iat = Math.floor(now / 1000);
      const exp = Math.floor(expiry / 1000);
      const claims = { client_id: clientId, sub: clientId, sub_type: 'client', jti: crypto.randomUUID() };
      const token = await sign({ ...claims, iat, nbf: iat, exp }, secret, 'HS256');
      for (const [known, end] of expiries) if (end <= now) expiries.delete(known);
      expiries.set(token, expiry);
      return { token, expiresIn: Math.floor(lifetimeMs / 1000) };
    },
    isValid: (token: string): boolean => (expiries.get(token) ?? Number.NEGATIVE_INFINITY) > clock.now(),
    revoke: (token: string) => expiries.delete(token),
  };
}
