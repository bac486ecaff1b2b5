import { expect, it } from 'vitest';
import { callOptionsOf } from '../../../src/core/http/call-options.ts';

it('a signal that is not an AbortSignal is refused with the name of the operation', () => {
  const signal = 5 as unknown as AbortSignal;
  expect(() => callOptionsOf('listFiles()', { signal })).toThrow(
    'listFiles(): "signal" must be an AbortSignal (got 5',
  );
});
