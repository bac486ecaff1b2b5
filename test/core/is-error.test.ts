import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isError } from '../../src/core/is-error.ts';

/** The classes of Node, under Jest: `DOMException` inherits from the `Error` of its own realm. */
const other = runInNewContext(`
  class DOMException {}
  Object.setPrototypeOf(DOMException.prototype, Error.prototype);
  class ShopError extends TypeError {}
  ({
    errors: [new Error('a'), new ShopError('b'), new DOMException(), new AggregateError([]), Object.create(new Error())],
    others: [{ name: 'Error', message: 'a', stack: 'b' }, [], new Map(), () => {}, Object.create(null), new (class Errors {})()],
  })
`);

describe('isError()', () => {
  it('is true for errors of this realm and of others', () => {
    const here = [new Error('a'), new TypeError('b'), new DOMException('c'), new AggregateError([])];
    expect([...here, ...other.errors].map(isError)).toEqual(Array(9).fill(true));
  });

  it('is false for all other values, and never throws', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const values = [...other.others, { stack: '', message: '' }, Error, 'Error', 5n, null, undefined, proxy];
    expect(values.filter(isError)).toEqual([]);
  });
});
