/** Replaces the entry in bundles for the edge runtime and the browser. */

import type { NextLogging } from './index.ts';

const MESSAGE =
  'logclient/next needs Node.js, but it was used in the edge runtime or in a browser. In routes, remove ' +
  '"export const runtime = \'edge\'"; rename middleware.ts to proxy.ts, which runs in Node.js; in client components, ' +
  'use logclient/browser.';

function fail(): never {
  throw new Error(MESSAGE);
}

/** Every function throws an error, except `register` and `onRequestError`, which Next.js also calls in the edge runtime. */
export function createLogging(): NextLogging {
  const log = { debug: fail, info: fail, warn: fail, error: fail, child: fail, flush: fail };
  return { log, withLogging: fail, withProxyLogging: fail, register() {}, onRequestError() {} };
}
