import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogOptionsException } from '../../../src/core/errors.ts';
import { path } from '../../../src/core/http/path.ts';
import { cases } from '../../helpers/laws.ts';

describe('path', () => {
  it('escapes every value as one segment', () => {
    expect(path`repositories/${'a/b c'}/files/${'50%?#.csv'}`).toBe(
      'repositories/a%2Fb%20c/files/50%25%3F%23.csv',
    );
  });

  it.each(['', '.', '..', '\ud800'])('rejects %j', (value) => {
    expect(() => path`files/${value}`).toThrow(LogOptionsException);
  });

  it('rejects a value that is not a string', () => {
    expect(() => path`files/${undefined as unknown as string}`).toThrow('non-empty string (got undefined)');
  });

  it('builds paths that a URL parser splits into the same segments', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(name, name, (a, b) => {
        const { pathname } = new URL(`http://host/api/${path`x/${a}/y/${b}`}`);
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'api', 'x', a, 'y', b]);
      }),
      cases(),
    );
  });
});
