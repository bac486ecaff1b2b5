import { expect, it, vi } from 'vitest';
import { fits } from '../../src/testing/expectations/field-pattern.ts';
import { startLogTest } from '../../src/testing/index.ts';

it('startLogTest() in an environment without the globals of Node.js says which comment to add', async () => {
  vi.stubGlobal('Response', undefined);
  try {
    await expect(startLogTest()).rejects.toThrow('/** @jest-environment node */');
  } finally {
    vi.unstubAllGlobals();
  }
});

it('logclient/testing/jest in "setupFiles" of Jest, where it has no expect(), says where it belongs', async () => {
  vi.doMock('@jest/globals', () => ({ expect: undefined, afterEach: undefined }));
  await expect(import('../../src/testing/jest.ts')).rejects.toThrow(
    'Move logclient/testing/jest from "setupFiles" to "setupFilesAfterEnv"',
  );
  vi.doUnmock('@jest/globals');
});

it('a matcher for booleans receives a boolean', () => {
  const received: unknown[] = [];
  const matcher = {
    asymmetricMatch: (value: unknown) => received.push(value) > 0,
    getExpectedType: () => 'boolean',
  };
  fits({ retried: 'false', done: 'true' }, 'retried', matcher);
  fits({ retried: 'false', done: 'true' }, 'done', matcher);
  expect(received).toEqual([false, true]);
});
