import { LogOptionsException } from '../../../src/core/errors.ts';
import { describe, requireTexts } from '../../../src/core/option-checks.ts';
import { tryOr } from '../../../src/core/try-or.ts';
import { Rejection } from './rejection.ts';

/** Accepts requests of pages of the same origin, and of the allowed ones. */
export class OriginCheck {
  readonly #allowed: ReadonlySet<string>;

  /** @throws LogOptionsException */
  constructor(owner: string, allowedOrigins: unknown = []) {
    const origins = requireTexts(owner, 'allowedOrigins', allowedOrigins);
    const wrong = origins.find((origin) => parse(origin)?.origin !== origin);
    if (wrong !== undefined)
      throw new LogOptionsException(
        `${owner}: "allowedOrigins" must contain origins such as "https://shop.example", without a path or a final slash (got ${describe(wrong)}).`,
      );
    this.#allowed = new Set(origins);
  }

  /** @throws Rejection */
  require({ headers, url }: Request): void {
    const site = headers.get('sec-fetch-site');
    if (site === 'same-origin') return;
    const origin = headers.get('origin');
    if (origin === null) throw new Rejection(403, 'origin', 'The request has no Origin header.');
    if (this.#allowed.has(origin)) return;
    // Browsers omit Sec-Fetch-Site on unencrypted connections.
    const host = headers.get('host') ?? new URL(url).host;
    if (site === null && parse(origin)?.host === host) return;
    throw new Rejection(403, 'origin', 'The origin is not allowed. Add it to "allowedOrigins".');
  }

  /** Headers that let pages of allowed origins read the response. */
  corsHeaders({ headers }: Request): Record<string, string> {
    const origin = headers.get('origin');
    if (origin === null || !this.#allowed.has(origin)) return {};
    return {
      'access-control-allow-origin': origin,
      // Browsers send beacons with cookies.
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'retry-after',
      vary: 'origin',
    };
  }
}

function parse(text: string): URL | undefined {
  return tryOr(undefined, () => new URL(text));
}
