import { expect, it } from 'vitest';
import { fieldHints } from '../../src/core/field-hints.ts';

it('a field of an empty result is explained if no event has it, or if a tag has its name', () => {
  const known = ['level', 'msg', 'host', '#host', '#service'];
  expect(fieldHints(['level', 'host', 'service', 'x'], known)).toEqual([
    'Did you mean the tag "#host"?',
    'No recent event has the field "service". Did you mean "#service"?',
    'No recent event has the field "x".',
  ]);
});
