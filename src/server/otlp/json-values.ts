import { exactText, isMarkedNumber, parseExactJson } from '../../engine/index.ts';
import { malformed } from '../http/http-error.ts';
import {
  kindOf,
  type Members,
  numberOf,
  optionalString,
  type Place,
  requireArray,
  requireObject,
  requireString,
} from '../ingest/request-shape.ts';
import { RecordLimit } from './otlp-record.ts';

export function attributesOf(owner: Members, place: Place, limit = new RecordLimit()): Members {
  return keyValues(owner.attributes, `${place}.attributes`, 0, limit);
}

export function keyValues(value: unknown, place: Place, depth: number, limit: RecordLimit): Members {
  if (value == null) return {};
  const entries = requireArray(value, place).map((item, index): [string, unknown] => {
    limit.addValue(depth);
    const { key, value: member } = requireObject(item, `${place}[${index}]`);
    const name = optionalString(key, `${place}[${index}].key`) ?? '';
    return [name, member == null ? null : anyValue(member, `${place}[${index}].value`, depth, limit)];
  });
  return Object.fromEntries(entries);
}

/** A value; `null` means absent, as in all of protobuf's JSON mapping. */
export function anyValue(value: unknown, place: Place, depth: number, limit: RecordLimit): unknown {
  const any = requireObject(value, place);
  const kind = Object.keys(READERS).find((name) => any[name] != null);
  return kind === undefined ? null : READERS[kind]!(any[kind], `${place}.${kind}`, depth, limit);
}

const READERS: Readonly<
  Record<string, (value: unknown, place: Place, depth: number, limit: RecordLimit) => unknown>
> = {
  stringValue: requireString,
  boolValue(value, place) {
    if (typeof value === 'boolean') return value;
    throw malformed(`${place} must be a boolean (got ${kindOf(value)}).`);
  },
  // All digits are kept.
  intValue: (value, place) => parseExactJson(String(integerOf(value, place, BigInt.asIntN, 64))),
  doubleValue: doubleOf,
  arrayValue(value, place, depth, limit) {
    const { values } = requireObject(value, place);
    if (values == null) return [];
    return requireArray(values, `${place}.values`).map((item, index) => {
      limit.addValue(depth + 1);
      return anyValue(item, `${place}.values[${index}]`, depth + 1, limit);
    });
  },
  kvlistValue: (value, place, depth, limit) =>
    keyValues(requireObject(value, place).values, `${place}.values`, depth + 1, limit),
  bytesValue: (value, place) => Buffer.from(requireString(value, place), 'base64').toString('base64'),
};

/** An integer in protobuf's JSON mapping: a string or a number. */
export function integerOf(
  value: unknown,
  place: Place,
  clamp: (bits: number, value: bigint) => bigint,
  bits: number,
): bigint {
  const text = typeof value === 'string' || typeof value === 'number' ? exactText(value) : '';
  if (/^-?\d{1,20}$/.test(text)) {
    const integer = BigInt(text);
    if (clamp(bits, integer) === integer) return integer;
  }
  const got = typeof value === 'string' && !isMarkedNumber(value) ? 'another string' : kindOf(value);
  throw malformed(`${place} must be a ${bits}-bit integer or its digits as a string (got ${got}).`);
}

/** The ID in lower case; empty if it is invalid: then the record has no trace. */
export function validId(hexadecimal: string, bytes: number): string {
  const id = hexadecimal.toLowerCase();
  return id.length === bytes * 2 && /^[\da-f]*[1-9a-f][\da-f]*$/.test(id) ? id : '';
}

export function optionalObject(owner: Members, name: string, place: Place): Members {
  return owner[name] == null ? {} : requireObject(owner[name], `${place}.${name}`);
}

/** A number, or its name in protobuf's JSON mapping. */
function doubleOf(value: unknown, place: Place): number | string {
  const number = numberOf(value) ?? (typeof value === 'string' && value !== '' ? Number(value) : undefined);
  // JSON has no NaN and no infinity.
  if (number !== undefined && (!Number.isNaN(number) || value === 'NaN')) {
    return Number.isFinite(number) ? number : String(number);
  }
  throw malformed(`${place} must be a number (got ${kindOf(value)}).`);
}
