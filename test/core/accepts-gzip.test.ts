import { expect, it } from 'vitest';
import { acceptsGzip } from '../../src/core/accepts-gzip.ts';

it.each([
  ['gzip', true],
  ['GZIP', true],
  ['deflate, gzip;q=0.1, br', true],
  ['br;q=1.0, *;q=0.1', true],
  ['*', true],
  ['gzip; q=0', false],
  ['gzip;q=0.000, *', false],
  ['br, *;q=0', false],
  ['identity', false],
  ['gzip2', false],
  ['gzip;q=x', false],
  ['', false],
  [undefined, false],
  [null, false],
])('the header Accept-Encoding "%s" accepts gzip: %s', (header, accepts) => {
  expect(acceptsGzip(header)).toBe(accepts);
});
