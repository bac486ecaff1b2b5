import { types } from 'node:util';
import { cutAtWord } from '../../core/cut-at-word.ts';
import { isError } from '../../core/is-error.ts';
import { tryOr } from '../../core/try-or.ts';
import { deepAsText, MAX_DEPTH, MAX_TEXT_DEPTH } from './deep-values.ts';
import { plainJson } from './plain-json.ts';

/** Maximum number of values: objects with many references to each other can exceed any memory. */
const MAX_VALUES = 50_000;

/** Maximum total length of the strings. The service accepts much less, even in a whole request. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Larger numbers take too long to convert. */
const MAX_BIGINT = 1n << 32_768n;

const MAX_MESSAGE_CHARACTERS = 1_000;

const CUT = '"[Cut]"';

const BINARY_PREFIX_BYTES = 96;

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
const NEEDS_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** With the flag `u`, a pair counts as one character and doesn't match. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Serializes any value as a JSON object. Primitive values become a field `value`, and `undefined` becomes an empty object.
 * Never throws, even if getters, `toJSON` methods or proxies do.
 *
 * - Errors keep their name, message, stack, cause and own fields.
 * - A `Map` becomes an object, a `Set` an array, and binary data its size and first bytes in base64.
 * - BigInts, `NaN` and infinities become strings.
 * - `undefined`, functions and symbols are omitted, or `null` in an array.
 * - Circular references become `[Circular]`, and values that throw `[Throws: …]`.
 * - Lone surrogates become U+FFFD.
 * - Deep values become JSON text. Values that are much deeper, or too large, are cut and marked.
 */
export function safeJsonObject(value: unknown): string {
  try {
    const plain = typeof value === 'object' && value !== null ? plainJson(value) : undefined;
    const text = plain ?? deepAsText(write(value, new Walk()) ?? '{}');
    return text.startsWith('{') ? text : `{"value":${text}}`;
  } catch {
    return '{"value":"[Throws]"}'; // The call stack is exhausted.
  }
}

/** Serializes a string as JSON that is well-formed in UTF-8. Cuts very long strings. */
export function jsonString(text: string): string {
  if (text.length > MAX_CHARACTERS) return jsonString(cutAtWord(text, MAX_CHARACTERS - 1));
  if (text.length < 5000 && !NEEDS_ESCAPE.test(text)) return `"${text}"`;
  return JSON.stringify(text.replace(LONE_SURROGATE, '\ufffd'));
}

/** `String(value)`, or the message of an error. Never throws. */
export function safeText(value: unknown): string {
  return tryOr('unprintable', () => String(isError(value) ? value.message : value));
}

/** Reads a property of an object. If reading it throws, returns {@link throwsText}. */
export function safeProperty(value: object, name: string | number | symbol): unknown {
  try {
    return (value as Record<string | number | symbol, unknown>)[name];
  } catch (error) {
    return throwsText(error);
  }
}

/** Reads a property that is an object. Returns `undefined` for other values, or if reading it throws. */
export function safeObject(value: object, name: string): object | undefined {
  const property = safeProperty(value, name);
  return typeof property === 'object' && property !== null ? property : undefined;
}

/** Replaces a value that throws. */
export function throwsText(error: unknown): string {
  return `[Throws: ${cutAtWord(safeText(error), MAX_MESSAGE_CHARACTERS)}]`;
}

class Walk {
  /** Objects that enclose the current value. */
  readonly ancestors: object[] = [];
  valuesLeft = MAX_VALUES;
  charactersLeft = MAX_CHARACTERS;

  get isFull(): boolean {
    return this.valuesLeft <= 0 || this.charactersLeft <= 0;
  }

  /** Limits `writing` to half of the remaining size, so that a large field leaves space for later ones. */
  withinHalf<T>(writing: () => T): T {
    const values = Math.floor(this.valuesLeft / 2);
    const characters = Math.floor(this.charactersLeft / 2);
    this.valuesLeft -= values;
    this.charactersLeft -= characters;
    const result = writing();
    this.valuesLeft += values;
    this.charactersLeft += characters;
    return result;
  }

  /** Serializes a string, cut to half of the remaining size, with its own size as in `cutStrings`. */
  string(text: string): string {
    const half = Math.ceil(this.charactersLeft / 2);
    const shown = cutAtWord(text, half);
    this.charactersLeft -= shown.length;
    return jsonString(shown === text ? text : `${shown} [cut, ${Buffer.byteLength(text)} bytes in all]`);
  }
}

/** @param key passed to `toJSON`. @returns `undefined` for values that JSON omits. */
function write(value: unknown, walk: Walk, key: string | number = ''): string | undefined {
  walk.valuesLeft--;
  switch (typeof value) {
    case 'string':
      return walk.string(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : `"${value}"`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value > MAX_BIGINT || value < -MAX_BIGINT ? CUT : `"${value}"`;
    case 'object':
      if (value === null) return 'null';
      if (walk.ancestors.length !== 1) return writeObject(value, walk, key);
      return walk.withinHalf(() => writeObject(value, walk, key));
    default:
      return undefined;
  }
}

function writeObject(value: object, walk: Walk, key: string | number): string | undefined {
  const { ancestors } = walk;
  if (ancestors.includes(value)) return '"[Circular]"';
  if (ancestors.length >= MAX_DEPTH + MAX_TEXT_DEPTH) return CUT;
  ancestors.push(value);
  try {
    return writeByKind(value, walk, key);
  } catch (error) {
    return jsonString(throwsText(error));
  } finally {
    ancestors.pop();
  }
}

function writeByKind(value: object, walk: Walk, key: string | number): string | undefined {
  if (Array.isArray(value)) return writeItems(elements(value), walk);
  if (ArrayBuffer.isView(value) || types.isArrayBuffer(value)) return writeBinary(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const replaced: unknown = value.toJSON(String(key));
    if (replaced !== value) return write(replaced, walk, key);
  }
  if (Object.getPrototypeOf(value) === Object.prototype) return writeMembers(ownMembers(value), walk);
  if (isError(value)) return writeMembers(errorMembers(value), walk);
  if (types.isMap(value)) return writeMembers(mapMembers(value), walk);
  if (types.isSet(value)) return writeItems(value, walk);
  if (types.isBoxedPrimitive(value)) return write(value.valueOf(), walk);
  if (types.isRegExp(value)) return walk.string(String(value));
  return writeMembers(ownMembers(value), walk);
}

function writeItems(items: Iterable<unknown>, walk: Walk): string {
  let text = '[';
  let index = 0;
  for (const item of items) {
    if (index > 0) text += ',';
    if (walk.isFull) return `${text}${CUT}]`;
    text += write(item, walk, index++) ?? 'null';
  }
  return `${text}]`;
}

function writeMembers(members: Iterable<readonly [string, unknown]>, walk: Walk): string {
  let text = '{';
  for (const [name, value] of members) {
    const isCut = walk.isFull;
    const valueText = isCut ? CUT : write(value, walk, name);
    if (valueText === undefined) continue;
    text += `${text.length > 1 ? ',' : ''}${walk.string(name)}:${valueText}`;
    if (isCut) break;
  }
  return `${text}}`;
}

/** Does not use the iterator, which may be replaced. Reading an element may throw. */
function* elements(values: readonly unknown[]): Iterable<unknown> {
  for (let index = 0; index < values.length; index++) yield safeProperty(values, index);
}

function* ownMembers(value: object): Iterable<readonly [string, unknown]> {
  for (const name of Object.keys(value)) yield [name, safeProperty(value, name)];
}

/** Members of an error. The standard ones are inherited or not enumerable. */
function* errorMembers(error: Error): Iterable<readonly [string, unknown]> {
  const standard = ['name', 'message', 'stack', 'cause', 'errors'].filter((name) => name in error);
  for (const name of new Set([...standard, ...Object.keys(error)])) yield [name, safeProperty(error, name)];
}

function* mapMembers(map: ReadonlyMap<unknown, unknown>): Iterable<readonly [string, unknown]> {
  for (const [key, value] of map) yield [typeof key === 'string' ? key : safeText(key), value];
}

function writeBinary(value: ArrayBufferView | ArrayBuffer): string {
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  const shown = bytes.subarray(0, BINARY_PREFIX_BYTES).toString('base64');
  const more = bytes.length > BINARY_PREFIX_BYTES ? '…' : '';
  return jsonString(`[${bytes.length} bytes] ${shown}${more}`);
}
