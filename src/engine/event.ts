import { metered } from './run/event-cost.ts';
import { limitedText } from './text/text-limit.ts';
import { parseNumber } from './value.ts';

/** An event or a result row: own string properties only, `@timestamp` as digits. Missing fields are absent. */
export type Fields = Record<string, string>;

/**
 * Returns `undefined` if the field is missing.
 *
 * No inherited property of a plain object is a string, so fields such as `constructor`, `toString` and `__proto__` are
 * found only if the event has them.
 */
export function readField(fields: Fields, name: string): string | undefined {
  const value: unknown = fields[name];
  return typeof value === 'string' ? metered(value) : undefined;
}

/** The number in a field, such as the epoch milliseconds of `@timestamp`; `undefined` if it has none. */
export function readNumber(fields: Fields, name: string): number | undefined {
  const value = readField(fields, name);
  return value === undefined ? undefined : parseNumber(value);
}

/**
 * Sets a field to a computed value.
 *
 * @throws TextLengthError if the value is too long.
 */
export function writeField(fields: Fields, name: string, value: string): void {
  setField(fields, name, limitedText(value));
}

/** Sets a field with any name: plain assignment to `__proto__` would be lost. */
export function setField(fields: Fields, name: string, value: string): void {
  if (name === '__proto__') {
    Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    fields[name] = value;
  }
}

/** Copies the fields of another row to `target`. */
export function addFields(target: Fields, fields: Fields): Fields {
  if (!Object.hasOwn(fields, '__proto__')) return Object.assign(target, fields);
  for (const name of Object.keys(fields)) setField(target, name, fields[name]!);
  return target;
}

/**
 * A copy that can be modified.
 *
 * Adding a field to the result of `Object.assign` is several times faster than to `{ ...fields }`, but `Object.assign`
 * loses a field named `__proto__`.
 */
export function copyFields(fields: Fields): Fields {
  return Object.hasOwn(fields, '__proto__') ? { ...fields } : Object.assign({}, fields);
}
