import type { LogEvent } from '../../src/wire/query.ts';

type Nested = Record<string, unknown>;

/**
 * Restores nested fields: `cart.items[0]` becomes `{ cart: { items: [ … ] } }`. Omits tags and the service's own fields. If
 * a name can't be nested because another field has a value at its path, it is kept unchanged.
 */
export function nestFields(event: LogEvent): Nested {
  const fields: Nested = {};
  // A field comes before the fields inside it.
  const byLength = Object.entries(event).sort(([a], [b]) => a.length - b.length);
  for (const [name, value] of byLength) {
    if (name.startsWith('@') || name.startsWith('#')) continue;
    if (!put(fields, pathOf(name), value)) fields[name] = value;
  }
  return fields;
}

/** Splits `a.b[0]` into `['a', 'b', 0]`. Other names are not split. */
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
