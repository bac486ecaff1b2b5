/** Replaces the entry in bundles for the edge runtime. */

import type { NextLogging } from './index.ts';

const MESSAGE =
  'logclient/next needs Node.js, but it was used in the edge runtime. In routes, remove ' +
  '"export const runtime = \'edge\'". Rename middleware.ts to proxy.ts, which runs in Node.js.';

function fail(): never {
  throw new Error(MESSAGE);
}

/** Every function throws, except `register` and `onRequestError`, which Next.js also calls in the edge runtime. */
export function createLogging(): NextLogging {
  const log = { debug: fail, info: fail, warn: fail, error: fail, child: fail, flush: fail };
  return { log, withLogging: fail, withProxyLogging: fail, register() {}, onRequestError() {} };
}

export { fail as createIngestRoute };
