import { expect, it } from 'vitest';
import { LogHTTPException } from '../../../src/core/errors.ts';
import { isTransient, isTransientLater } from '../../../src/core/http/transient.ts';

it.each([
  [{ code: 'LOG_WRONG_BASE_URL', statusCode: 200 }, false, true],
  [{ code: 'LOG_WRONG_BASE_URL', statusCode: 302 }, false, false],
  [{ code: 'LOG_WRONG_BASE_URL', statusCode: 404 }, false, false],
  [{ code: 'LOG_BAD_ANSWER', statusCode: 200 }, false, false],
  [{ statusCode: 503 }, true, true],
  [{ statusCode: 401 }, false, false],
] as const)('after a call has succeeded, only a web page becomes transient: %j', (details, first, later) => {
  const error = new LogHTTPException('failed', details);
  expect([isTransient(error), isTransientLater(error)]).toEqual([first, later]);
});
