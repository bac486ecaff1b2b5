import { expect, it } from 'vitest';
import { ERROR_LEVELS, LEVEL_WORDS, severityOf } from '../../../src/core/records/severity.ts';

it('The pattern of error levels matches all levels that are errors or worse, and no others', () => {
  const levels = [
    ...LEVEL_WORDS,
    ...['0', '3', '4', '7', '10', '20', '30', '40', '50', '60', '200', '500', '800'],
  ];
  const isError = new RegExp(ERROR_LEVELS, 'i');
  const wrong = levels.filter(
    (level) => isError.test(level) !== ['error', 'fatal'].includes(severityOf(level)),
  );
  expect(wrong).toEqual([]);
  expect(levels.filter((level) => severityOf(level) === 'none')).toEqual([]);
});
