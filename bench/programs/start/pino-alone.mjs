import pino from 'pino';

const logger = pino();
for (let n = 0; n < 10; n++) logger.info({ n }, `rec-${n} request completed`);
