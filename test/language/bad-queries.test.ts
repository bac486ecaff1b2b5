import { expect, test } from 'vitest';
import { parse, QuerySyntaxError } from '../../src/language/index.ts';

function refusalOf(query: string): unknown {
  try {
    parse(query);
  } catch (error) {
    return error;
  }
  throw new Error(`The query was not refused: ${query}`);
}

/** A query, line, column, and the error there. */
const BAD_QUERIES: readonly (readonly [string, number, number, string])[] = [
  ['a=1 |\n| b="open', 2, 5, 'The string has no closing quote'],
  ['a=1\n| /re', 2, 3, 'The regex has no closing "/" on its line; put a path in quotes, such as "/slow"'],
  ['case {\n  a=1 | b := 2 c=3 | d := 4;\n}', 2, 16, 'Expected "}", ";" or "|" after the step, found "c"'],
  ['case {\n  a=1 | b := 2;\n', 3, 1, 'Expected a clause, found the end of the query'],
  ['f match {\n  1 -> x := 1;\n}', 2, 5, 'Expected "=>" after the guard, found "-"'],
  [
    'f match { 1, 2 => x := 1 }',
    1,
    12,
    'An arm has one guard: to match several values, write in(values=[…])',
  ],
  ['f match { 1 or 2 => * }', 1, 13, 'Expected "=>" after the guard, found "or"'],
  ['a<>1', 1, 3, 'Write "!=" for not equal'],
  ['level=error || status=500', 1, 13, 'Write "or" between filters: "||" is not an operator'],
  ['case { a || b; * }', 1, 10, 'Write "or" between filters: "||" is not an operator'],
  [
    'case { level=error | x:=1 * | x:=2 }',
    1,
    29,
    'Expected a value after "*", found "|"; to start another clause, write ";" before "*"',
  ],
  [
    '@timestamp > "2026-01-01"',
    1,
    14,
    'Expected a number after ">", found the string "2026-01-01"; compare a time in epoch milliseconds, or set the time interval of the query',
  ],
  [
    'test(a == 1 && b == 2)',
    1,
    1,
    '"test(a == 1 && b == 2)" is syntax of another language. Write test(a == 1) | test(b == 2) instead',
  ],
  ['a=!1', 1, 3, 'Expected a value after "=", found "!"; write "!=" for not equal'],
  ['a =~ /x/', 1, 6, 'Expected a function call after "=~"; to match a regex, write "="'],
  ['a =~ "x"', 1, 6, 'Expected a function call after "=~", found the string "x"'],
  ['a = (1 or 2)', 1, 5, 'Expected a value after "=", found "("'],
  ['a=[1, 2]', 1, 3, 'Expected a value after "=", found "["'],
  ['in [1, 2]', 1, 1, '"in" is a function: write in(field, values=[…])'],
  ['a in [1, 2]', 1, 1, '"a in [1, 2]" is SQL or KQL. Write in(a, values=[1, 2]) instead'],
  [
    'a not like b',
    1,
    7,
    '"like" belongs between a field and a value; to negate it, write "not" before the field',
  ],
  ['a and', 1, 6, 'Expected a filter, found the end of the query'],
  ['and a', 1, 1, 'Expected a filter, found "and"'],
  ['a or', 1, 5, 'Expected a filter, found the end of the query'],
  ['(a=1 or b=2', 1, 12, 'Expected ")" to close "(", found the end of the query'],
  [
    'groupBy(a, function=count()',
    1,
    28,
    'Expected ")" or "," after the argument, found the end of the query',
  ],
  ['groupBy([a, b)', 1, 14, 'Expected "]" or "," after the element, found ")"'],
  [
    'groupBy(a function=count())',
    1,
    11,
    'Expected ")" or "," after the argument, found "function"; separate values by commas, and put text with spaces in double quotes',
  ],
  ['groupBy(a; b)', 1, 10, 'Expected ")" or "," after the argument, found ";"'],
  [
    'bucket(span=1 hour)',
    1,
    15,
    'Expected ")" or "," after the argument, found "hour"; separate values by commas, and put text with spaces in double quotes',
  ],
  [
    'cidr(a, subnet=::1/128)',
    1,
    16,
    'Expected a value, found ":"; put text that contains ":" in double quotes',
  ],
  ['test(a and b)', 1, 1, '"test(a and b)" is syntax of another language. Write test(a) | test(b) instead'],
  [
    'test(a == 1 or b == 2)',
    1,
    1,
    '"test(a == 1 or b == 2)" is syntax of another language. Write test(a > 5) or test(b > 5)',
  ],
  ['test(a == 1 == b)', 1, 13, `Comparisons can't be chained: put one of them in parentheses`],
  ['x := a ++ b', 1, 9, 'Expected a value, found "+"'],
  ['x := a b', 1, 8, 'Expected "|" or the end of the query, found "b"'],
  ['x := "a" "b"', 1, 10, 'Expected "|" or the end of the query, found the string "b"'],
  [
    'x := case { a=1 | b=2 }',
    1,
    6,
    'case { … } is a step and has no value: move the assignment into its clauses',
  ],
  ['x := y := 1', 1, 8, 'Expected "|" or the end of the query, found ":="'],
  ['x :=', 1, 5, 'Expected a value, found the end of the query'],
  ['in(a, values=[/re/])', 1, 15, 'A regex is only allowed in a filter or as a whole argument'],
  ['in(a, values=["x" "y"])', 1, 19, 'Expected "]" or "," after the element, found the string "y"'],
  [
    'in(a, values=[x y])',
    1,
    17,
    'Expected "]" or "," after the element, found "y"; separate values by commas, and put text with spaces in double quotes',
  ],
  ['rename([[a, b], [c, d])', 1, 23, 'Expected "]" or "," after the element, found ")"'],
  ['`a b` := 1', 1, 1, 'Expected a filter, found "`"; put a name with special characters in double quotes'],
  [`a='b'`, 1, 3, `Expected a value after "=", found "'"; put text in double quotes`],
  [
    'host-name=x',
    1,
    1,
    '"host-name" is not a valid field name without double quotes; to calculate, write test(…)',
  ],
  [
    'host-name := x',
    1,
    1,
    '"host-name" is not a valid field name without double quotes; to calculate, write test(…)',
  ],
  [
    'count',
    1,
    1,
    '"count" is a function: write "(" directly after the name, or put the word in double quotes to search for it',
  ],
  [
    'groupBy (a)',
    1,
    1,
    '"groupBy" is a function: write "(" directly after the name, or put the word in double quotes to search for it',
  ],
  ['a == 1', 1, 3, 'Write "=" in a filter, or "<=>" in correlate(): "==" is only allowed in expressions'],
  ['a => 1', 1, 3, 'Expected "|" or the end of the query, found "=>"'],
  ['a > b', 1, 5, 'Expected a number after ">", found "b"; to compare two fields, write test(a > b)'],
  [
    'a >= "many"',
    1,
    6,
    'Expected a number after ">=", found the string "many"; to compare two fields, write test(a >= b)',
  ],
  ['a > 1,000', 1, 6, 'Expected "|" or the end of the query, found ","'],
  ['a=1, b=2', 1, 4, 'Expected "|" or the end of the query, found ","'],
  ['a=1; b=2', 1, 4, 'Expected "|" or the end of the query, found ";"'],
  ['{ a=1 }', 1, 1, 'Expected a filter, found "{"'],
  ['$q(1)', 1, 4, 'Expected a named argument "name=value" for the saved query, found "1"'],
  ['$q(a=1', 1, 7, 'Expected ")" or "," after the argument, found the end of the query'],
  ['?{p', 1, 4, 'Expected "}" at the end of the parameter, found the end of the query'],
  ['?{p=}', 1, 5, 'Expected the default of the parameter, found "}"'],
  ['?{p=a b}', 1, 7, 'Expected "}" at the end of the parameter, found "b"'],
  ['?{p=[a, b]}', 1, 5, 'Expected the default of the parameter, found "["'],
  ['a=x$', 1, 5, 'Expected the name of a saved query directly after "$", found the end of the query'],
  ['a=/[/]/', 1, 6, 'Expected "|" or the end of the query, found "]"; write a slash in a regex as "\\/"'],
  [
    'a=/x/z',
    1,
    6,
    'Unknown regex flags "z": use d, F, g, i or m, write a slash in a regex as "\\/", and put a path in quotes',
  ],
  ['/* open', 1, 1, 'The comment has no closing "*/"'],
  ['[count(), max(a)', 1, 17, 'Expected "]" or "," after the element, found the end of the query'],
  ['stats([count(), )', 1, 17, 'Expected a value, found ")"'],
  [
    'if(a > 1, then="x" else="y")',
    1,
    20,
    'Expected ")" or "," after the argument, found "else"; separate values by commas, and put text with spaces in double quotes',
  ],
  ['a=«x»', 1, 3, 'Expected a value after "=", found "«"; put text with this character in double quotes'],
  ['()', 1, 2, 'Expected a filter, found ")"'],
  ['!', 1, 2, 'Expected a filter, found the end of the query'],
  ['a=1 | | | )', 1, 11, 'Expected "|" or the end of the query, found ")"'],
  ['correlate(A: {a=1} include [b])', 1, 28, 'Expected ":" after the attribute name, found "["'],
  ['a[x]=1', 1, 2, 'Expected "|" or the end of the query, found "["'],
  ['a.b[0=1', 1, 4, 'Expected "|" or the end of the query, found "["'],
];

test.each(BAD_QUERIES)('%j is rejected at line %i, column %i: %s', (query, line, column, problem) => {
  const error = refusalOf(query);
  expect(error).toBeInstanceOf(QuerySyntaxError);
  expect(error).toMatchObject({
    message: `${problem} (line ${line}, column ${column})`,
    code: 'LOG_QUERY_SYNTAX',
    line,
    column,
  });
  // The caret is below the position.
  const [text = '', carets = ''] = (error as QuerySyntaxError).excerpt.split('\n');
  const place = query.split('\n')[line - 1]!.slice(column - 1);
  expect(text.slice(carets.indexOf('^'))).toBe(place);
});
