import { describe, expect, it } from 'vitest';
import { errorLines, recordError } from '../../../src/core/records/record-error.ts';
import { ERROR_SPELLINGS, ERROR_VIEW, storedFields } from '../../helpers/error-spellings.ts';

function linesOf(record: object): string[] | undefined {
  const error = recordError(storedFields(record));
  return error && errorLines(error);
}

describe('The error of a record', () => {
  it.each(Object.entries(ERROR_SPELLINGS))('has the same lines in the spelling of %s', (_name, record) => {
    expect(linesOf(record)).toEqual(ERROR_VIEW);
  });
});
