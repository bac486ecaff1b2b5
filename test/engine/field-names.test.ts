import { describe, expect, test } from 'vitest';
import { type Fields, readField, setField } from '../../src/engine/index.ts';
import { rowsOf } from './run-query.ts';

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** An event with one field, whatever its name. */
function eventWith(name: string, value: string): Fields {
  return JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);
}

describe.each(NAMES)('Field named %s', (name) => {
  const event = eventWith(name, 'v');

  test('is missing from an event without it', () => {
    expect(readField({}, name)).toBeUndefined();
    expect(rowsOf(`${name}=*`, [{}])).toEqual([]);
    expect(rowsOf(`${name}!=*`, [{}])).toHaveLength(1);
    expect(rowsOf(`r := ${name}`, [{}])).toEqual([{}]);
    expect(rowsOf(`count(${name})`, [{}])).toEqual([{ _count: '0' }]);
  });

  test('is read by readField() and written by setField()', () => {
    const target: Fields = {};
    setField(target, name, 'v');
    expect(Object.entries(target)).toEqual([[name, 'v']]);
    expect(readField(target, name)).toBe('v');
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  });

  test.each([
    ['a filter', `${name}=v`],
    ['free text', '"v"'],
    ['an assignment', `x := 1 | ${name} := "v" | drop(x)`],
    ['rename', `rename(${name}, as=a) | rename(a, as=${name})`],
    ['select', `select(${name})`],
    ['eval', `eval(${name}="v")`],
    ['default', `drop(${name}) | default("v", field=${name})`],
    ['extraction', `${name}=/(?<${name}>.*)/`],
    ['groupBy', `groupBy(${name}, function=[])`],
    ['an output', `groupBy(x, function=max(${name})) | ${name} := "v" | select(${name})`],
    ['selectLast', `selectLast(${name})`],
    ['collect', `collect(${name})`],
    ['table', `table(${name})`],
    ['a list of aggregates', `stats([selectLast(${name}), {x=1 | collect(x)}])`],
    ['parseJson', `j := "{\\"${name}\\": \\"v\\"}" | drop(${name}) | parseJson(j) | drop(j)`],
    ['kvParse', `j := "${name}=v" | drop(${name}) | kvParse(j) | drop(j)`],
  ])('keeps its value through %s', (_what, query) => {
    const [row = {}] = rowsOf(query, [event]);
    expect(Object.entries(row)).toEqual([[name, 'v']]);
    expect(Object.entries(event)).toEqual([[name, 'v']]);
  });

  test('can be the value of a group key', () => {
    const rows = rowsOf('groupBy(k)', [{ k: name }, { k: name }, {}]);
    expect(rows).toEqual([{ k: name, _count: '2' }, { _count: '1' }]);
    expect(rowsOf(`top(k)`, [{ k: name }])).toEqual([{ k: name, _count: '1' }]);
    expect(rowsOf(`k match { ${name} => * }`, [{ k: name }, { k: 'x' }])).toHaveLength(1);
  });
});
