import { isJsonObject } from '../../core/json-object.ts';
import { exactText, isMarkedNumber, renderExactJson } from '../../engine/index.ts';
import { HttpError, malformed } from '../http/http-error.ts';

/** A JSON object of a request, not validated yet. */
export type Members = Readonly<Record<string, unknown>>;

/** A position in a request: `[0].events[3].timestamp`. */
export type Place = string;

/** @throws HttpError 400 unless the value is an array. */
export function requireArray(value: unknown, place: Place): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed(`${nameOf(place)} must be an array (got ${kindOf(value)}).`);
}

/** @throws HttpError 400 unless the value is an object. */
export function requireObject(value: unknown, place: Place): Members {
  if (isJsonObject(value)) return value as Members;
  throw malformed(`${nameOf(place)} must be an object (got ${kindOf(value)}).`);
}

/** The objects in an array, with their places. @throws HttpError 400 for anything else. */
export function* objectsOf(value: unknown, place: Place): Generator<{ member: Members; place: Place }> {
  for (const [index, item] of requireArray(value, place).entries()) {
    const own = `${place}[${index}]`;
    yield { member: requireObject(item, own), place: own };
  }
}

/** @throws HttpError 400 unless the value is a string. */
export function requireString(value: unknown, place: Place): string {
  if (typeof value === 'string' && !isMarkedNumber(value)) return value;
  throw malformed(`${nameOf(place)} must be a string (got ${kindOf(value)}).`);
}

/** A string that may be absent or `null`. @throws HttpError 400 for anything else. */
export function optionalString(value: unknown, place: Place): string | undefined {
  return value === undefined || value === null ? undefined : requireString(value, place);
}

/** An object of strings; empty if absent or `null`. @throws HttpError 400 for anything else. */
export function optionalStrings(value: unknown, place: Place): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  const members = requireObject(value, place);
  for (const [name, member] of Object.entries(members)) requireString(member, `${place}.${name}`);
  return members as Record<string, string>;
}

/** A number; `undefined` for any other value. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isMarkedNumber(value) ? Number(exactText(value)) : undefined;
}

/** The type of a value, for error messages. Never the value itself, which may be secret. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (numberOf(value) !== undefined) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Adds the start of the invalid record to an error, and returns the error. */
export function ofRecord(error: unknown, record: unknown): unknown {
  if (!(error instanceof HttpError)) return error;
  try {
    error.excerpt ??= typeof record === 'string' ? exactText(record) : renderExactJson(record);
  } catch {
    // The record is nested too deeply to be written.
  }
  return error;
}

/** A position as the subject of a sentence. */
export function nameOf(place: Place): string {
  return place === '' ? 'The request' : place;
}
