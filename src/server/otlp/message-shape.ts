import { parseExactJson } from '../../engine/index.ts';
import { malformed } from '../http/http-error.ts';
import {
  kindOf,
  type Members,
  type Place,
  requireArray,
  requireObject,
  requireString,
} from '../ingest/request-shape.ts';
import { doubleOf, integerOf, isUnset, keyValues, validId } from './json-values.ts';
import type { RecordLimit } from './otlp-record.ts';

/** Reads a member of a message; `undefined` if it has the default value, which protobuf does not send. */
type Read = (value: unknown, place: Place, limit: RecordLimit) => unknown;

/** The members of a message that become fields, by their names in JSON. */
export type Shape = Readonly<Record<string, Read>>;

export const text: Read = (value, place) => requireString(value, place) || undefined;
export const double: Read = doubleOf;
export const flag: Read = (value, place) => {
  if (typeof value === 'boolean') return value;
  throw malformed(`${place} must be a boolean (got ${kindOf(value)}).`);
};
export const attributes: Read = (value, place, limit) => {
  const members = keyValues(value, place, 0, limit);
  return Object.keys(members).length === 0 ? undefined : members;
};

/** A number that is omitted if it is 0. */
export const nonZeroDouble: Read = (value, place) => doubleOf(value, place) || undefined;

export function id(bytes: number): Read {
  return (value, place) => validId(requireString(value, place), bytes) || undefined;
}

/** An integer; all digits are kept. */
export function integer(bits: number, clamp = BigInt.asUintN): Read {
  return (value, place) => parseExactJson(String(integerOf(value, place, clamp, bits)));
}

/** An integer that is omitted if it is 0. */
export function nonZero(bits: number, clamp = BigInt.asUintN): Read {
  const read = integer(bits, clamp);
  return (value, place, limit) =>
    integerOf(value, place, clamp, bits) === 0n ? undefined : read(value, place, limit);
}

export function list(item: Read): Read {
  return (value, place, limit) => {
    const items = requireArray(value, place).map((member, index) => {
      limit.addValue(0);
      return item(member, `${place}[${index}]`, limit);
    });
    return items.length === 0 ? undefined : items;
  };
}

/** @param defaults members that protobuf does not send if they have these values, but that are always set */
export function message(shape: Shape, defaults: Members = {}): Read {
  return (value, place, limit) =>
    fieldsOf({ ...defaults, ...requireObject(value, place) }, shape, place, limit);
}

/** The members of a message, with their names in protobuf: `traceId` is `trace_id`. */
export function fieldsOf(owner: Members, shape: Shape, place: Place, limit: RecordLimit): Members {
  const fields: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(shape)) {
    const value = isUnset(owner[name]) ? undefined : read(owner[name], `${place}.${name}`, limit);
    if (value !== undefined) fields[snakeCase(name)] = value;
  }
  return fields;
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
