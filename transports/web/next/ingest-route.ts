import {
  createIngestHandler,
  type IngestHandler,
  type IngestHandlerOptions,
} from '../ingest-handler/index.ts';
import { afterResponse } from './after-response.ts';
import { outsideRequest } from './outside-request.ts';

const forwardedAddress: IngestHandlerOptions['clientAddress'] = ({ headers }) =>
  headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();

/**
 * Creates a route handler for the records of `logclient/browser`. Records are sent after the response. Nothing is opened
 * until the first request, because `next build` also loads routes but has no token.
 *
 * The address of a client is the last one in the header `x-forwarded-for`. Next.js sets the header only for requests
 * that don't have it: without a proxy, clients can forge it, and only `maxTotalRequestsPerMinute` limits them.
 *
 * @example
 *   export const POST = createIngestRoute({ tags: { service: 'shop' } }); // app/logs/route.ts
 */
export function createIngestRoute(
  options: IngestHandlerOptions = {},
): (request: Request) => Promise<Response> {
  let opened: IngestHandler | undefined;
  return async (request) => {
    opened ??= outsideRequest(() => createIngestHandler({ clientAddress: forwardedAddress, ...options }));
    const { ingester } = opened;
    afterResponse(() => outsideRequest(() => ingester.flush()));
    return opened(request);
  };
}
