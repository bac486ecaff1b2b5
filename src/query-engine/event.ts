import { metered } from './run/event-cost.ts';
import { limitedText } from './text/text-limit.ts';

/** An event or a result row: own string properties only, `@timestamp` as digits. A field that is absent is missing. */
export type Fields = Record<string, string>;

/**
 * The value of a field, `undefined` when it is missing.
 *
 * Nothing that a plain object inherits is a string, so a field called `constructor`, `toString` or `__proto__`
 * is only ever found when the event itself has it.
 */
export function readField(fields: Fields, name: string): string | undefined {
  const value: unknown = fields[name];
  return typeof value === 'string' ? metered(value) : undefined;
}

/**
 * Sets a field to what a query has made.
 *
 * @throws TextLengthError when the value is too long.
 */
export function writeField(fields: Fields, name: string, value: string): void {
  setField(fields, name, limitedText(value));
}

/** Sets a field, whatever it is called: an ordinary assignment to `__proto__` would be lost. */
export function setField(fields: Fields, name: string, value: string): void {
  if (name === '__proto__') {
    Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    fields[name] = value;
  }
}

/** Gives `target` the fields of another row. */
export function addFields(target: Fields, fields: Fields): Fields {
  if (!Object.hasOwn(fields, '__proto__')) return Object.assign(target, fields);
  for (const name of Object.keys(fields)) setField(target, name, fields[name]!);
  return target;
}

/**
 * A copy that can be changed.
 *
 * Adding a field to `{ ...fields }` is several times slower than to what `Object.assign` makes, but `Object.assign`
 * loses a field called `__proto__`.
 */
export function copyFields(fields: Fields): Fields {
  return Object.hasOwn(fields, '__proto__') ? { ...fields } : Object.assign({}, fields);
}
