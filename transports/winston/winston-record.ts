import { tryOr } from '../../src/core/try-or.ts';
import type { LogEvent } from '../../src/core/wire/query.ts';

/** A record as it was logged: `level`, `message`, other fields, and its time as `timestamp` unless it has that field. */
export type WinstonRecord = Record<string, unknown>;

/**
 * Restores the record from an event. The service keeps it as JSON in `@rawstring`, with nesting and types. If a parser has
 * replaced that, the record is restored from the fields of the event, and its values are strings.
 */
export function winstonRecord(event: LogEvent): WinstonRecord {
  const { level, message, ...fields } = jsonObject(event['@rawstring']) ?? nestFields(event);
  const timestamp = new Date(Number(event['@timestamp']));
  return {
    ...(level !== undefined && { level }),
    ...(message !== undefined && { message }),
    ...(!Number.isNaN(timestamp.getTime()) && { timestamp: timestamp.toISOString() }),
    ...fields,
  };
}

function jsonObject(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  return tryOr(undefined, () => JSON.parse(text)); // It may be truncated by the service.
}

/**
 * Restores nested fields: `cart.items[0]` becomes `{ cart: { items: [ … ] } }`. Omits tags and the service's own fields. If
 * a name can't be nested because another field has a value at its path, it is kept unchanged.
 */
export function nestFields(event: LogEvent): WinstonRecord {
  const fields: WinstonRecord = {};
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

function put(target: WinstonRecord, [first, ...rest]: (string | number)[], value: unknown): boolean {
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
  return fits && put(inner as WinstonRecord, rest, value);
}
