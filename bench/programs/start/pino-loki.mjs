import pino from 'pino';

const options = { host: process.env.URL };
const logger = pino(pino.transport({ target: 'pino-loki', options }));
for (let n = 0; n < 10; n++) logger.info({ n }, `rec-${n} request completed`);
