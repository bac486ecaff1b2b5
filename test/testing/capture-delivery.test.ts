import { expect, it } from 'vitest';
import { NO_RECORDS } from '../../src/ingest/report/ingester-stats.ts';
import { LoggerDelivery } from '../../src/testing/loggers/capture-delivery.ts';

it.each([
  [{}, undefined],
  [{ accepted: 3, delivered: 3 }, undefined],
  [{ queuedRecords: 1 }, 'Not delivered: 1 record of the captured pino logger.'],
  [{ spooledRecords: 1, inFlightRecords: 1 }, 'Not delivered: 2 records of the captured pino logger.'],
])('a captured logger with the counters %o is described as %o', (counters, text) => {
  const shipper = { flush() {}, stats: { ...NO_RECORDS, ...counters } };
  expect(new LoggerDelivery('captured pino logger', [shipper]).undelivered()).toBe(text);
});
