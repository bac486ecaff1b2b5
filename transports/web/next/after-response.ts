import { after } from 'next/server.js';

/** What a platform provides for work after a response, as documented for `after` of Next.js. */
interface RequestContext {
  get(): { waitUntil?: (work: Promise<unknown>) => void } | undefined;
}

const REQUEST_CONTEXT = Symbol.for('@next/request-context');

/**
 * Runs `work` after the response is sent; a platform that freezes the process waits for it. Outside of a request, does
 * nothing. `work` must not reject.
 */
export function afterResponse(work: () => Promise<unknown>): void {
  try {
    after(work);
  } catch {
    // Next.js reports errors of route handlers when the scope of the request has already ended.
    const context = (globalThis as { [REQUEST_CONTEXT]?: RequestContext })[REQUEST_CONTEXT];
    context?.get()?.waitUntil?.(work());
  }
}
