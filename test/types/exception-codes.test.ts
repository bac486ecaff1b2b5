import { describe, expectTypeOf, it } from 'vitest';
import { LogException, type LogExceptionCode, type LogHTTPException } from '../../src/index.ts';

describe('The code of an exception', () => {
  it('has the type of the known codes', () => {
    expectTypeOf<LogException['code']>().toEqualTypeOf<LogExceptionCode>();
    expectTypeOf<LogHTTPException['code']>().toEqualTypeOf<LogExceptionCode>();
    expectTypeOf<'LOG_EXISTS'>().toExtend<LogExceptionCode>();
    expectTypeOf<string>().not.toExtend<LogExceptionCode>();
  });

  it('cannot be compared with a misspelled code', () => {
    const { code } = new LogException('failed', 'LOG_EXISTS');
    // @ts-expect-error there is no such code
    expectTypeOf(code === 'LOG_EXIST').toBeBoolean();
    expectTypeOf(code === 'LOG_EXISTS').toBeBoolean();
  });
});
