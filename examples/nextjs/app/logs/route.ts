import { createIngestRoute } from 'logclient/next';

export const POST = createIngestRoute({ tags: { service: 'orders' } });
