// Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN when the server starts. `next build` needs no token.
import { createLogging } from 'logclient/next';

export const { log, withLogging, withProxyLogging, register, onRequestError } = createLogging({
  tags: { service: 'orders' },
});
