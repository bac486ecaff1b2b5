import type { LogEvent } from '../../src/wire/query.ts';

type Nested = Record<string, unknown>;

/**
 * The fields that were logged, `cart.items[0]` as `{ cart: { items: [ … ] } }`. The service's own fields and tags are
 * left out. A name that can't be nested, for there is a text in its way, stays as it is.
 */
export function nestFields(event: LogEvent): Nested {
  const fields: Nested = {};
  // A text comes before what would be inside of it.
  const byLength = Object.entries(event).sort(([a], [b]) => a.length - b.length);
  for (const [name, value] of byLength) {
    if (name.startsWith('@') || name.startsWith('#')) continue;
    if (!put(fields, pathOf(name), value)) fields[name] = value;
  }
  return fields;
}

/** `a.b[0]` is `['a', 'b', 0]`; an odd name is a path of one. */
function pathOf(name: string): (string | number)[] {
  if (name.includes('__proto__') || !/^[^.[\]]+(?:\.[^.[\]]+|\[\d{1,4}\])*$/.test(name)) return [name];
  return [...name.matchAll(/[^.[\]]+/g)].map(([part]) =>
    /^\d+$/.test(part) && name.includes(`[${part}]`) ? Number(part) : part,
  );
}

function put(target: Nested, [first, ...rest]: (string | number)[], value: unknown): boolean {
  if (first === undefined) return false;
  const [next] = rest;
  if (next === undefined) {
    if (Object.hasOwn(target, first)) return false;
    target[first] = value;
    return true;
  }
  if (!Object.hasOwn(target, first)) target[first] = typeof next === 'number' ? [] : {};
  const inner = target[first];
  const fits = typeof inner === 'object' && Array.isArray(inner) === (typeof next === 'number');
  return fits && put(inner as Nested, rest, value);
}
