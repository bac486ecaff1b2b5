import { expect, it } from 'vitest';
import { compileWithin } from '../../src/local-server/compile-limit.ts';

it('a query that computes for too long is refused', () => {
  const compile = (): void => {
    for (;;);
  };
  expect(() => compileWithin('x', compile)).toThrow('The query takes longer than 1000 ms to compile');
});

it('a query that only waited for the processor is tried again', () => {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let tries = 0;
  const compile = (): string => {
    tries += 1;
    if (tries === 1) Atomics.wait(never, 0, 0);
    return 'compiled';
  };
  expect(compileWithin('x', compile)).toBe('compiled');
  expect(tries).toBe(2);
});
