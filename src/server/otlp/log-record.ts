import { isJsonObject } from '../../core/json-object.ts';
import { type Members, optionalString, type Place } from '../ingest/request-shape.ts';
import { anyValue, attributesOf, integerOf, validId } from './json-values.ts';
import { type OtlpRecord, RecordLimit } from './otlp-record.ts';

/** A LogRecord. If names collide, its own fields override its body, and the body its attributes. */
export function logRecord(record: Members, place: Place): OtlpRecord {
  const limit = new RecordLimit();
  const integer = (name: string, bits: number, clamp = BigInt.asUintN): bigint =>
    record[name] == null ? 0n : integerOf(record[name], `${place}.${name}`, clamp, bits);
  const text = (name: string): string => optionalString(record[name], `${place}.${name}`) ?? '';
  const body = record.body == null ? null : anyValue(record.body, `${place}.body`, 0, limit);
  const severityNumber = Number(integer('severityNumber', 32, BigInt.asIntN));
  const traceId = validId(text('traceId'), 16);
  return {
    time: integer('timeUnixNano', 64) || integer('observedTimeUnixNano', 64),
    fields: {
      ...attributesOf(record, place, limit),
      ...(isJsonObject(body) ? body : body === null ? {} : { message: body }),
      ...optional('severity_text', text('severityText')),
      ...(severityNumber === 0 ? {} : { severity_number: severityNumber }),
      ...optional('event_name', text('eventName')),
      ...optional('trace_id', traceId),
      ...optional('span_id', validId(text('spanId'), 8)),
      ...(traceId === '' ? {} : { trace_flags: traceFlags(integer('flags', 32)) }),
    },
  };
}

/** Two hexadecimal digits, as the instrumentations for loggers write them. */
export function traceFlags(flags: bigint): string {
  return (flags & 0xffn).toString(16).padStart(2, '0');
}

function optional(name: string, value: string): Members {
  return value === '' ? {} : { [name]: value };
}
