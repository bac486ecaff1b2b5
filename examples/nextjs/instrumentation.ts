import type { Instrumentation } from 'next';

// Next.js calls this function for every error that a page, a route or an action throws.
export const onRequestError: Instrumentation.onRequestError = async (error, request, { routePath }) => {
  // The edge runtime doesn't have Node.js streams.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { flush, serverLogger } = await import('./lib/logger');
  const { method, path, headers } = request;
  serverLogger().error(
    { err: error, requestId: headers['x-request-id'], http: { method, path }, route: routePath },
    'request failed',
  );
  await flush(serverLogger());
};
