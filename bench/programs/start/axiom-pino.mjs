import pino from 'pino';

const options = { dataset: 'logs', token: 'token', url: process.env.URL };
const logger = pino(pino.transport({ target: '@axiomhq/pino', options }));
for (let n = 0; n < 10; n++) logger.info({ n }, `rec-${n} request completed`);
