import pino, { type Logger } from 'pino';
import { expect, it } from 'vitest';
import winston from 'winston';
import { createPinoStream, flush } from '../../transports/pino/index.ts';

/** Never called: only the types are checked. */
const calls = {
  pino: (logger: Logger) => flush(logger),
  childWithLevels: () => flush(pino({ customLevels: { audit: 35 } }).child({})),
  transport: () => flush(pino.transport({ target: 'logclient/pino' })),
  multistream: () => flush(pino.multistream([{ stream: process.stdout }])),
  stream: () => flush(createPinoStream({})),
  // @ts-expect-error: records of winston are flushed by its own transport.
  winston: () => flush(winston.createLogger()),
};

it('flush() of logclient/pino accepts loggers and streams of pino, and rejects a winston logger at compile time', () => {
  expect(Object.keys(calls)).toHaveLength(6);
});
