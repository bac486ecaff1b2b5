import { describe, expect, it } from 'vitest';
import { LogException } from '../../src/core/errors.ts';
import { type ParseOptions, parse, QuerySyntaxError } from '../../src/language/index.ts';

function refusal(source: string): QuerySyntaxError {
  try {
    parse(source);
  } catch (error) {
    if (error instanceof QuerySyntaxError) return error;
    throw error;
  }
  throw new Error(`"${source}" was accepted`);
}

describe('A syntax error', () => {
  it.each([
    // Strings, regexes, comments, characters
    ['foo("x', 5, 'The string has no closing quote'],
    ['"a \\"', 1, 'The string has no closing quote'],
    ['a | /abc', 5, 'The regex has no closing "/" on its line; put a path in quotes, such as "/slow"'],
    [
      'a=/x/iq',
      6,
      'Unknown regex flags "iq": use d, F, g, i or m, write a slash in a regex as "\\/", and put a path in quotes',
    ],
    ['a /* never', 3, 'The comment has no closing "*/"'],
    ["name='x'", 6, `Expected a value after "=", found "'"; put text in double quotes`],
    ['a\u00adb', 2, 'Expected "|" or the end of the query, found the character U+00AD'],
    ['`a` := 1', 1, 'Expected a filter, found "`"; put a name with special characters in double quotes'],
    // Filters
    ['= 5', 1, 'Expected a filter, found "="'],
    ['a=', 3, 'Expected a value after "=", found the end of the query'],
    ['a != | b', 6, 'Expected a value after "!=", found "|"'],
    ['a like (b)', 8, 'Expected a value after "like", found "("'],
    ['a=1 and', 8, 'Expected a filter, found the end of the query'],
    ['a or or b', 6, 'Expected a filter, found "or"'],
    ['not', 4, 'Expected a filter, found the end of the query'],
    ['and=1', 1, 'Expected a filter, found "and"'],
    ['(a=1', 5, 'Expected ")" to close "(", found the end of the query'],
    ['a=1)', 4, 'Expected "|" or the end of the query, found ")"'],
    ['a == b', 3, 'Write "=" in a filter, or "<=>" in correlate(): "==" is only allowed in expressions'],
    ['a < b', 5, 'Expected a number after "<", found "b"; to compare two fields, write test(a < b)'],
    [
      'a >= "x"',
      6,
      'Expected a number after ">=", found the string "x"; to compare two fields, write test(a >= b)',
    ],
    ['a > ', 5, 'Expected a number after ">", found the end of the query'],
    ['a <=> /b/', 7, 'Expected a field name after "<=>", found the regex /b/'],
    [
      'host-name=*',
      1,
      '"host-name" is not a valid field name without double quotes; to calculate, write test(…)',
    ],
    ['x=foo[0]', 3, '"foo[0]" is not a valid value without double quotes'],
    [
      'Test',
      1,
      '"Test" is a function: write "(" directly after the name, or put the word in double quotes to search for it',
    ],
    [
      'count ()',
      1,
      '"count" is a function: write "(" directly after the name, or put the word in double quotes to search for it',
    ],
    ['a | like', 5, '"like" belongs between a field and a value; to negate it, write "not" before the field'],
    ['(a =~ unknown(b))', 7, 'There is no function "unknown"'],
    ['not x := 1', 7, '":=" is not allowed inside a filter: make the assignment a separate step'],
    // Calls, expressions
    ['count(a', 8, 'Expected ")" or "," after the argument, found the end of the query'],
    [
      'count(a b)',
      9,
      'Expected ")" or "," after the argument, found "b"; separate values by commas, and put text with spaces in double quotes',
    ],
    ['count(a,,b)', 9, 'Expected a value, found ","'],
    [
      'f([a b])',
      6,
      'Expected "]" or "," after the element, found "b"; separate values by commas, and put text with spaces in double quotes',
    ],
    ['f(a-b=c)', 6, 'Expected ")" or "," after the argument, found "="'],
    ['f({a)', 5, 'Expected "}" or "|" after the step, found ")"'],
    ['f(A: {a} include [x])', 18, 'Expected ":" after the attribute name, found "["'],
    ['x := ', 6, 'Expected a value, found the end of the query'],
    ['x := a +', 9, 'Expected a value, found the end of the query'],
    [
      'x := f(b *)',
      11,
      'Expected a value after "*", found ")"; to pass "text*" as an argument, put it in double quotes',
    ],
    ['x := (a', 8, 'Expected ")" to close "(", found the end of the query'],
    ['x := a < b < c', 12, "Comparisons can't be chained: put one of them in parentheses"],
    ['x := /re/', 6, 'A regex is only allowed in a filter or as a whole argument'],
    ['x := a = b', 8, 'Expected "|" or the end of the query, found "="'],
    // Steps
    ['x := 1 y=2', 8, 'Expected "|" or the end of the query, found "y"'],
    ['a =~ b', 6, 'Expected a function call after "=~", found "b"'],
    ['case { ; }', 8, 'Expected a clause, found ";"'],
    ['case { a; ; b }', 11, 'Expected a clause, found ";"'],
    ['case { | }', 10, 'Expected a step in the clause, found "}"'],
    ['case { a => b }', 10, 'Expected "}", ";" or "|" after the step, found "=>"'],
    ['f match { }', 11, 'Expected an arm, found "}"'],
    ['f match { a }', 13, 'Expected "=>" after the guard, found "}"'],
    ['f match { a => }', 16, 'Expected a step in the arm: write "*" to keep events unchanged, found "}"'],
    ['f match { a => b', 17, 'Expected "}", ";" or "|" after the step, found the end of the query'],
    ['{a}', 1, 'Expected a filter, found "{"'],
    // Parameters, saved queries
    ['? p', 2, 'Expected the name of a parameter directly after "?", found whitespace'],
    ['?{=x}', 3, 'Expected the name of a parameter, found "="'],
    ['?{a=', 5, 'Expected the default of the parameter, found the end of the query'],
    ['?{a', 4, 'Expected "}" at the end of the parameter, found the end of the query'],
    ['$', 2, 'Expected the name of a saved query directly after "$", found the end of the query'],
    ['$q', 3, 'Expected "(" after the saved query name, found the end of the query'],
    ['$q(a)', 4, 'Expected a named argument "name=value" for the saved query, found "a"'],
  ])('rejects %j at column %i: %s', (source, column, problem) => {
    const error = refusal(source);
    expect(error.message).toBe(`${problem} (line 1, column ${column})`);
    expect(error).toMatchObject({ line: 1, column, offset: column - 1 });
  });

  it('has its line and column, and marks the place with a caret', () => {
    const error = refusal('a=1\n| groupBy(b, function=[count(), max(c)\n| sort(_count)');
    expect(error).toMatchObject({
      name: 'QuerySyntaxError',
      code: 'LOG_QUERY_SYNTAX',
      offset: 43,
      line: 3,
      column: 1,
    });
    expect(error.excerpt).toBe('3 | | sort(_count)\n  | ^');
    expect(error.toString()).toBe(
      [
        'QuerySyntaxError: Expected "]" or "," after the element, found "|" (line 3, column 1)',
        '3 | | sort(_count)',
        '  | ^',
      ].join('\n'),
    );
  });

  it("is an instance of the package's exceptions", () => {
    const error = refusal('(');
    expect(error).toBeInstanceOf(LogException);
    expect(error).toBeInstanceOf(Error);
    expect(new LogException('x')).not.toBeInstanceOf(QuerySyntaxError);
  });

  it('quotes the query briefly, on one line and without control characters', () => {
    const { message } = refusal(`x := 1 "${'\n\u001b'.repeat(50)}${'long '.repeat(50)}"`);
    expect(message).toMatch(/found the string "[^\p{Cc}]{1,40}… \(line 1, column 8\)$/u);
  });
});

describe('Limits', () => {
  it('reject a query that is too long', () => {
    expect(() => parse('a'.repeat(66_000))).not.toThrow();
    expect(() => parse('a'.repeat(66_001))).toThrow(
      'The query is too long: 66001 characters (maximum: 66000)',
    );
    expect(() => parse('abc', { maxLength: 2 })).toThrow(QuerySyntaxError);
  });

  it('reject a query that nests too deeply', () => {
    const nested = (levels: number) => '('.repeat(levels) + 'a'.repeat(1) + ')'.repeat(levels);
    expect(() => parse(nested(5), { maxDepth: 5 })).not.toThrow();
    expect(() => parse(nested(6), { maxDepth: 5 })).toThrow(
      'The query is nested more than 5 levels deep (line 1, column 6)',
    );
  });

  it('do not count a chain of operators as nesting, only what is nested in it', () => {
    const sum = (terms: number, last: string) => `x := 1${' + a * 2'.repeat(terms - 2)} - ${last}`;
    expect(() => parse(sum(5_000, '1'))).not.toThrow();
    expect(() => parse(sum(5_000, `${'-'.repeat(300)}1`))).toThrow(/nested more than 200 levels deep/);
  });

  it.each([
    [{ maxDepth: 0 }, /"maxDepth" must be a whole number of at least 1 and at most 300/],
    [{ maxDepth: 301 }, /"maxDepth"/],
    [{ maxLength: 1.5 }, /"maxLength"/],
    [{ maxlength: 5 }, /no option "maxlength". Did you mean "maxLength"/],
  ])('must be valid numbers: %j', (options, message) => {
    expect(() => parse('a', options as ParseOptions)).toThrow(message);
  });

  it('reject a query that is not a string', () => {
    expect(() => parse(undefined as unknown as string)).toThrow('the query must be a string (got undefined)');
  });
});
