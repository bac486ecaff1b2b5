import { loggerOf } from '../../lib/logger';

export async function POST(request: Request): Promise<Response> {
  loggerOf(request).info('order received');
  const store = new URL(request.url).searchParams.get('store');
  // Next.js responds with 500 and passes the error to onRequestError in instrumentation.ts.
  throw new Error('no stock', { cause: new Error(`store ${store} is closed`) });
}
