import { expect, test } from 'vitest';
import {
  compileEventScript,
  EventScriptError,
  emptyLibrary,
  type Fields,
  QueryError,
} from '../../src/engine/index.ts';

const NOW = 1_000_000;

function run(script: string, event: Fields): readonly Fields[] {
  return compileEventScript(script, emptyLibrary, 100).start(NOW)(event);
}

test('a script turns one event into one, none or several', () => {
  expect(run('b := a + 1', { a: '1' })).toEqual([{ a: '1', b: '2' }]);
  expect(run('a=2', { a: '1' })).toEqual([]);
  expect(run('/(?<n>\\d)/g', { '@rawstring': '1 2' }).map(({ n }) => n)).toEqual(['1', '2']);
  expect(run('', { a: '1' })).toEqual([{ a: '1' }]);
});

test('free text searches the event as changed by the previous steps', () => {
  expect(run('x := "needle" | needle', {})).toHaveLength(1);
  expect(run('drop(x) | needle', { x: 'needle' })).toEqual([]);
  expect(run('x := "ab" | /a(?<y>.)/', {})).toEqual([{ x: 'ab', y: 'b' }]);
  expect(run('x := "Needle" | wildcard("*need*", ignoreCase=true)', {})).toHaveLength(1);
});

test('dropEvent() in a nested case drops the event', () => {
  const script = 'case { a=1 | case { b=1 | dropEvent(); * | x := "kept" }; * | x := "other" }';
  expect(run(script, { a: '1', b: '1' })).toEqual([]);
  expect(run(script, { a: '1', b: '2' })).toMatchObject([{ x: 'kept' }]);
  expect(run(script, { a: '2', b: '1' })).toMatchObject([{ x: 'other' }]);
});

test('dropEvent() drops one of several events', () => {
  const script = 'split(a) | case { a=2 | dropEvent(); * }';
  expect(run(script, { 'a[0]': '1', 'a[1]': '2', 'a[2]': '3' }).map(({ a }) => a)).toEqual(['1', '3']);
});

test('a script does not change its input event', () => {
  const event = { a: '1', '@rawstring': 'b=2' };
  run('a := 5 | kvParse() | drop(@rawstring)', event);
  expect(event).toEqual({ a: '1', '@rawstring': 'b=2' });
});

test('a script that is started once processes several events', () => {
  const parse = compileEventScript('b := a', emptyLibrary, 1).start(NOW);
  const first = parse({ a: '1' });
  expect(parse({ a: '2' })).toEqual([{ a: '2', b: '2' }]);
  expect(first).toEqual([{ a: '1', b: '1' }]);
});

test('now() returns the arrival time of the event', () => {
  expect(run('now(as=x)', {})).toEqual([{ x: String(NOW) }]);
});

test('a script that creates too many events throws an EventScriptError', () => {
  const event = { '@rawstring': 'x'.repeat(101) };
  expect(() => run('/(?<n>x)/g', event)).toThrow(EventScriptError);
  expect(() => run('/(?<n>x)/g', event)).toThrow('It creates more than 100 events from one');
});

test.each([
  ['count()', "count() can't be used in a parser: it sees one event at a time (line 1, column 1)"],
  [
    'a=1 | [count()]',
    "An array of aggregates can't be used in a parser: it sees one event at a time (line 1, column 7)",
  ],
  [
    'x := array:length("a[]") | tail(5)',
    "tail() can't be used in a parser: it sees one event at a time (line 1, column 28)",
  ],
  [
    'createEvents("a")',
    "createEvents() can't be used in a parser: it sees one event at a time (line 1, column 1)",
  ],
  [
    'defineTable({a=1}, name="t", include=[a])',
    "defineTable() can't be used in a parser: it sees one event at a time (line 1, column 1)",
  ],
  [
    'selfJoinFilter(a, where=[{b=1}])',
    "selfJoinFilter() can't be used in a parser: it sees one event at a time (line 1, column 1)",
  ],
  ['x := end()', "end() can't be used in a parser: a parser has no search interval (line 1, column 6)"],
])('%s is rejected in a parser', (script, message) => {
  expect(() => run(script, {})).toThrow(QueryError);
  expect(() => run(script, {})).toThrow(message);
});

test('array:reduceRow() can aggregate the elements of one event', () => {
  const rows = run('array:reduceRow("a[]", var=x, function=sum(x), as=total)', { 'a[0]': '1', 'a[1]': '2' });
  expect(Object.values(rows[0] ?? {})).toContain('3');
});
