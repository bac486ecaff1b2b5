import { expect, test } from 'vitest';
import { events, rowsOf, runOf } from './run-query.ts';

const EVENTS = events('a[0]=x a[1]=y o[0].k=1 n=1', 'a[0]=z o[0].k=5 n=2');

/** An array is only fields with subscripts in their names, which are allowed wherever a field is. */
test.each([
  ['a[0]=x | select(n)', events('n=1')],
  ['a[1]=* | select(n)', events('n=1')],
  ['a[1]!=y | select(n)', events('n=2')],
  ['"a[0]"=/^[xy]$/ | select(n)', events('n=1')],
  ['o[0].k > 3 | select(n)', events('n=2')],
  ['in(a[0], values=[z]) | select(n)', events('n=2')],
  ['o[0].k =~ in(values=[5]) | select(n)', events('n=2')],
  ['a[0] match { x => r := 1; * => r := 2 } | select(r)', events('r=2', 'r=1')],
  ['case { a[1]=y | r := a[1]; * | r := "none" } | select(r)', events('r=none', 'r=y')],
  ['r := o[0].k + 1 | select(r)', events('r=6', 'r=2')],
  ['a[5] := n | select(a[5])', events('a[5]=2', 'a[5]=1')],
  ['n=/(?<b[0]>.)/ | select(b[0])', events('b[0]=2', 'b[0]=1')],
  ['rename(["o[0].k"], as=a[2]) | select(a[2])', events('a[2]=5', 'a[2]=1')],
  ['drop([a[0], a[1], o[0].k])', events('n=2', 'n=1')],
  ['groupBy(a[0], function=count())', events('a[0]=x _count=1', 'a[0]=z _count=1')],
  ['sort(o[0].k) | select(n)', events('n=2', 'n=1')],
  ['max(o[0].k)', events('_max=5')],
  ['i := 0 | r := getField(format("a[%d]", field=i)) | select(r)', events('r=z', 'r=x')],
])('%s', (query, rows) => {
  expect(rowsOf(query, EVENTS)).toEqual(rows);
});

test.each([
  ['concatArray(a)', '_concatArray=xy'],
  ['array:length(a)', '_length=2'],
  ['array:append(a, values=["w"])', 'a[2]=w'],
])('a gap ends the array for %s', (query, added) => {
  const [row] = rowsOf(`${query} | drop([a[0], a[1], a[3]])`, events('a[0]=x a[1]=y a[3]=z'));
  expect(row).toEqual(events(added)[0]);
});

test('a quoted array name can have a member that needs quotes', () => {
  const input = [{ 'user.e-mail[0]': 'x' }];
  expect(rowsOf('array:contains("user.e-mail[]", value=x)', input)).toEqual(input);
  expect(rowsOf('"user.e-mail[0]"=x', input)).toEqual(input);
});

test.each([
  ['select([a[0], a[1], b]) | array:drop(a)', ['b']],
  ['select([a[0], a[1].k, b]) | split(a)', ['a', 'a.k', 'b', '_index']],
  ['groupBy(b) | array:append(a, values=["x"])', undefined],
  ['groupBy(b) | splitString(b, by=",", as=a) | split(a)', undefined],
  ['groupBy(b) | p := splitString(b, by=",", index=0)', ['b', '_count', 'p']],
  ['groupBy(b) | array:length(a)', ['b', '_count', '_length']],
  ['array:reduceAll(a, var=x, function=groupBy(x))', ['x', '_count']],
  ['select(b) | array:reduceRow(a, var=x, function=avg(x))', ['b', '_avg']],
  ['array:union(a)', undefined],
  ['fieldstats()', ['#type', 'field', '_count', 'distinct']],
  ['select([A, b]) | lowercase(*, include=both)', ['a', 'b']],
])('the fieldOrder of %s is %j', (query, columns) => {
  expect(runOf(query).fieldOrder).toEqual(columns);
});
