import { createPinoTransport } from 'logclient/pino';
import pino from 'pino';

const logger = pino(createPinoTransport({ baseUrl: process.env.URL, ingestToken: 'token' }));
for (let n = 0; n < 10; n++) logger.info({ n }, `rec-${n} request completed`);
