import { describe, expect, it } from 'vitest';
import { describeProblem, positionAt } from '../../src/language/index.ts';

describe('positionAt()', () => {
  it.each([
    ['', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['abc', 3, 1, 4],
    ['a\nb', 1, 1, 2],
    ['a\nb', 2, 2, 1],
    ['a\r\nb', 2, 1, 3],
    ['a\r\nb', 3, 2, 1],
    ['a\rb', 2, 2, 1],
    ['\n\n\n', 3, 4, 1],
  ])('finds offset %2$i of %1$j', (source, offset, line, column) => {
    expect(positionAt(source, offset)).toEqual({ offset, line, column });
  });

  it('clamps an offset outside of the text', () => {
    expect(positionAt('a\nb', 99)).toEqual({ offset: 3, line: 2, column: 2 });
    expect(positionAt('a\nb', -1)).toEqual({ offset: 0, line: 1, column: 1 });
  });
});

describe('describeProblem()', () => {
  it('adds the position and draws a caret below every character of the span', () => {
    const source = 'a=1\n| nope(b)';
    expect(describeProblem(source, { start: 6, end: 10 }, 'Unknown function "nope"')).toEqual({
      message: 'Unknown function "nope" (line 2, column 3)',
      offset: 6,
      line: 2,
      column: 3,
      excerpt: '2 | | nope(b)\n  |   ^^^^',
    });
  });

  it('draws one caret after the end of the text', () => {
    expect(describeProblem('a=', { start: 2, end: 2 }, 'x').excerpt).toBe('1 | a=\n  |   ^');
  });

  it('ends the carets at the end of the line', () => {
    expect(describeProblem('f(\n)', { start: 0, end: 4 }, 'x').excerpt).toBe('1 | f(\n  | ^^');
  });

  it('indents for the width of the line number', () => {
    expect(describeProblem(`${'\n'.repeat(11)}a`, { start: 11, end: 12 }, 'x').excerpt).toBe(
      '12 | a\n   | ^',
    );
  });

  it('shows each tab and control character as a space', () => {
    expect(describeProblem('\ta\u001b[31m', { start: 1, end: 2 }, 'x').excerpt).toBe('1 |  a [31m\n  |  ^');
  });

  it('shows only the context in a long line', () => {
    const source = `${'a'.repeat(500)}!${'b'.repeat(500)}`;
    const [line = '', carets = ''] = describeProblem(source, { start: 500, end: 501 }, 'x').excerpt.split(
      '\n',
    );
    expect(line).toBe(`1 | …${'a'.repeat(40)}!${'b'.repeat(59)}…`);
    expect(carets.indexOf('^')).toBe(line.indexOf('!'));
  });
});
