import { createLogger } from 'logclient/browser';

export const browserLog = createLogger({ url: '/logs', captureErrors: true });
