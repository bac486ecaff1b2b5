/** Code that sends the first record, by the name of the logger. */
export function snippets(baseUrl: string, ingestToken: string) {
  return {
    pino: `import pino from 'pino';
import { createPinoTransport } from 'logclient/pino';

const logger = pino(createPinoTransport({
  baseUrl: '${baseUrl}',
  ingestToken: '${ingestToken}',
  tags: { service: 'my-app' },
}));
logger.info({ ms: 42 }, 'hello');`,
    winston: `import winston from 'winston';
import { LogTransport } from 'logclient/winston';

const logger = winston.createLogger({
  transports: [new LogTransport({
    baseUrl: '${baseUrl}',
    ingestToken: '${ingestToken}',
    tags: { service: 'my-app' },
  })],
});
logger.info('hello', { ms: 42 });`,
    '.env': `LOGSCALE_URL=${baseUrl}
LOGSCALE_INGEST_TOKEN=${ingestToken}`,
  } as const;
}
