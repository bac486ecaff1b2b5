import { loggerOf } from '../../lib/logger.js';

export async function POST(request) {
  loggerOf(request).info('order received');
  const store = new URL(request.url).searchParams.get('store');
  // Next.js answers with 500, and hands the error to onRequestError in instrumentation.js.
  throw new Error('no stock', { cause: new Error(`store ${store} is closed`) });
}
