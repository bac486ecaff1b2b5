import { version } from '../../../package.json' with { type: 'json' };
import { wrongKind } from '../option-checks.ts';

/** A product in the header `User-Agent`. */
const PRODUCT = /^[\w!#$%&'*+.^`|~-]+(?:\/[\w!#$%&'*+.^`|~-]+)?$/;

/** @throws LogOptionsException */
export function resolveClientName(owner: string, name: unknown): string | undefined {
  if (name === undefined || (typeof name === 'string' && PRODUCT.test(name))) return name;
  const kind = 'a name without spaces, optionally with a version, such as "shop" or "shop/1.4.2"';
  throw wrongKind(owner, '"clientName"', kind, name);
}

/** `shop/1.4.2 logclient/1.0.0`: the most significant product is first. */
export function userAgent(clientName: string | undefined): string {
  const own = `logclient/${version}`;
  return clientName === undefined ? own : `${clientName} ${own}`;
}
