import pino from 'pino';

const options = { baseUrl: process.env.URL, ingestToken: 'token' };
const logger = pino(pino.transport({ target: 'logclient/pino', options }));
for (let n = 0; n < 10; n++) logger.info({ n }, `rec-${n} request completed`);
