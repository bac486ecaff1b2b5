import pino from 'pino';
import { expect, expectTypeOf, it } from 'vitest';
import winston from 'winston';
import type { Drop, Warning } from '../../src/index.ts';
import { createPinoStream, createPinoTransport, flushOnSignals } from '../../transports/pino/index.ts';
import { LogTransport } from '../../transports/winston/index.ts';

/** Never called: only the types are checked. */
const calls = {
  pino: () => createPinoStream().on('drop', ({ records }) => expectTypeOf(records).toBeNumber()),
  worker: () =>
    createPinoTransport().once('warn', (warning) => expectTypeOf(warning).toEqualTypeOf<Warning>()),
  winston: () => new LogTransport().on('drop', (drop) => expectTypeOf(drop).toEqualTypeOf<Drop>()),
  logged: () => new LogTransport().once('logged', (info) => expectTypeOf(info).toBeObject()),
  error: () => createPinoStream().on('error', (error) => expectTypeOf(error).toEqualTypeOf<Error>()),
  finish: () => new Promise((resolve) => new LogTransport().once('finish', resolve)),
  close: () => new Promise<void>((resolve) => createPinoStream().on('close', resolve)),
  logger: () => pino(createPinoStream()),
  multistream: () => pino.multistream([{ stream: createPinoTransport() }]),
  pipe: () => process.stdin.pipe(createPinoStream()),
  transports: () => winston.createLogger({ transports: [new LogTransport()] }),
  // @ts-expect-error: there is no such event.
  pinoTypo: () => createPinoStream().on('drops', () => {}),
  // @ts-expect-error: there is no such event.
  winstonTypo: () => new LogTransport().off('drops', () => {}),
  // @ts-expect-error: a transport of winston handles signals itself.
  signals: () => flushOnSignals(winston.createLogger()),
};

it('listeners of streams are typed by event, and an unknown event does not compile', () => {
  expect(Object.keys(calls)).toHaveLength(14);
});

it('flushOnSignals() of logclient/pino rejects a winston logger at compile time', () => {
  expectTypeOf(flushOnSignals<winston.Logger>)
    .parameter(0)
    .toEqualTypeOf<'This is a winston logger: call flush() of its LogTransport.'>();
});
