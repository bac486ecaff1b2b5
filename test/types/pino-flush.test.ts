import pino, { type Logger } from 'pino';
import { expect, expectTypeOf, it } from 'vitest';
import winston, { type Logger as WinstonLogger } from 'winston';
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
  expectTypeOf(flush<WinstonLogger>)
    .parameter(0)
    .toEqualTypeOf<'This is a winston logger: call flush() of its LogTransport.'>();
});
