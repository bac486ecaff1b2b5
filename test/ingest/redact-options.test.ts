import { expect, it } from 'vitest';
import { resolveRedactOptions } from '../../src/ingest/redact-options.ts';

it.each([
  [{ email: /@/ }, /patterns\.email must be true or false \(got /],
  [{ email: 'yes' }, /patterns\.email must be true or false \(got "yes"\)/],
  [
    { order: 'o-\\d+' },
    /patterns\.order must be a regular expression that matches no empty string \(got "o-/,
  ],
  [{ mail: true }, /patterns\.mail must be .* \(got true\)\. Did you mean "email"\?$/],
  [{ order: true }, /patterns\.order must be .* \(got true\)\. Patterns of this package: /],
  [{ order: /o*/g }, /patterns\.order must be a regular expression that matches no empty string \(got /],
])('redact refuses the patterns %j', (patterns, message) => {
  expect(() => resolveRedactOptions('LogTransport', { patterns })).toThrow(message);
});

it('redact has own patterns beside those of the package', () => {
  const order = /o-\d+/;
  const options = resolveRedactOptions('LogTransport', { patterns: { order, email: true, jwt: undefined } });
  expect(options).toMatchObject({ keys: [], custom: new Map([['order', order]]), kinds: { email: true } });
});
