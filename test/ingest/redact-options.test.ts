import { expect, it } from 'vitest';
import { resolveRedactOptions } from '../../src/ingest/redact-options.ts';

it.each([
  [{ email: /@/ }, /patterns\.email must be true or false .*Give your own pattern another name\./],
  [{ email: 'yes' }, /patterns\.email must be true or false \(got "yes"\)/],
  [{ order: 'o-\\d+' }, /patterns\.order must be a regular expression \(got "o-/],
  [{ order: true }, /patterns\.order must be a regular expression \(got true\)\. Patterns of this package: /],
])('redact refuses the patterns %j', (patterns, message) => {
  expect(() => resolveRedactOptions('LogTransport', { patterns })).toThrow(message);
});

it('redact has own patterns beside those of the package', () => {
  const order = /o-\d+/;
  const options = resolveRedactOptions('LogTransport', { patterns: { order, email: true, jwt: undefined } });
  expect(options).toMatchObject({ keys: [], custom: new Map([['order', order]]), kinds: { email: true } });
});
