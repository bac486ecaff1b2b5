import { log, withLogging } from '../../lib/logging';

export const POST = withLogging(async (request) => {
  log.info('order received');
  const store = new URL(request.url).searchParams.get('store');
  // Next.js responds with 500 and passes the error to onRequestError.
  throw new Error('no stock', { cause: new Error(`store ${store} is closed`) });
});
