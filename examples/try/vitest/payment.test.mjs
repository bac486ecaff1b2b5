// Change a query or a message, and see the closest records in the error.
import { logTest as test } from 'logclient/testing/vitest';
import { beforeEach, expect } from 'vitest';
import { charge, logger } from './payment.mjs';

beforeEach(({ logs }) => void logs.capture(logger, { quiet: true }));

test('logs the order that was charged', async ({ logs }) => {
  charge('o-17', 40, 100);
  await expect(logs).toHaveLogged({ level: 'info', order: 'o-17', msg: 'charged' });
});

test('logs an error for a declined card', async ({ logs }) => {
  charge('o-18', 140, 100);
  await expect(logs).toHaveLogged('level=error order=o-18 | err.message=/declined/');
  await expect(logs).not.toHaveLogged('msg=charged');
});

test('lets an alert find two failed payments', async ({ logs }) => {
  charge('o-19', 140, 100);
  charge('o-20', 140, 100);
  await expect(logs).toHaveLogged('level=error | count() | _count >= 2');
});
