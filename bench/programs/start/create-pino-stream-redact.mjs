import { createPinoStream } from 'logclient/pino';
import pino from 'pino';

const logger = pino(createPinoStream({ baseUrl: process.env.URL, ingestToken: 'token', redact: true }));
for (let n = 0; n < 10; n++) logger.info({ n }, `rec-${n} request completed`);
