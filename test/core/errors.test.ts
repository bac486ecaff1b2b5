import { describe, expect, it, vi } from 'vitest';
import {
  LogConnectionDroppedException,
  LogConnectionException,
  LogException,
  LogHTTPException,
  LogQueryException,
  LogTimeoutException,
} from '../../src/core/errors.ts';

/** A second copy of the classes, as in a process that loads the package both as ESM and as CommonJS. */
vi.resetModules();
const copy = await import('../../src/core/errors.ts');

describe('Exceptions', () => {
  it('are instances of the same classes in another copy of the package', () => {
    expect(copy.LogException).not.toBe(LogException);
    const dropped = new copy.LogConnectionDroppedException('gone');
    expect(dropped).toBeInstanceOf(LogConnectionDroppedException);
    expect(dropped).toBeInstanceOf(LogConnectionException);
    expect(dropped).toBeInstanceOf(LogException);
    expect(dropped).not.toBeInstanceOf(LogTimeoutException);
  });

  it('keep normal instanceof behavior for subclasses of the caller', () => {
    class MyException extends LogException {}
    expect(new MyException('mine')).toBeInstanceOf(MyException);
    expect(new MyException('mine')).toBeInstanceOf(LogException);
    expect(new LogException('ours')).not.toBeInstanceOf(MyException);
    expect(new copy.LogException('theirs')).not.toBeInstanceOf(MyException);
  });

  it('do not match other values with instanceof', () => {
    for (const value of [new Error('other'), null, undefined, 'text', {}]) {
      expect(value instanceof LogException).toBe(false);
    }
  });

  it.each([LogHTTPException, LogQueryException])(
    '%o can be created from a message and a status',
    (Exception) => {
      expect(new Exception('boom', 404)).toMatchObject({
        message: 'boom',
        statusCode: 404,
        method: '',
        path: '',
      });
      expect(new Exception('boom')).toMatchObject({ message: 'boom', statusCode: 0, body: '' });
    },
  );

  it('have a name, a code and a cause', () => {
    const cause = new Error('below');
    const details = { statusCode: 400, method: 'POST', path: '/api/v1/x', cause };
    const error = new LogQueryException('bad query', details);
    expect(error).toBeInstanceOf(LogHTTPException);
    expect({ name: error.name, code: error.code, cause: error.cause }).toEqual({
      name: 'LogQueryException',
      code: 'LOG_QUERY',
      cause,
    });
    expect(error.stack).toMatch(/^LogQueryException: bad query/);
  });
});
