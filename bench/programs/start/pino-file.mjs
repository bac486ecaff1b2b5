import pino from 'pino';

const options = { destination: process.env.FILE };
const logger = pino(pino.transport({ target: 'pino/file', options }));
for (let n = 0; n < 10; n++) logger.info({ n }, `rec-${n} request completed`);
