import { parseExactJson } from '../../query-engine/index.ts';
import { TOO_DEEP } from '../ingest/flatten.ts';
import type { Members } from '../ingest/request-shape.ts';

/** A LogRecord of OTLP. Values of attributes and of the body are JSON values. */
export interface LogRecord {
  /** Epoch nanoseconds, 0 if unknown. */
  readonly time: bigint;
  /** Epoch nanoseconds, 0 if unknown. */
  readonly observedTime: bigint;
  /** 0 if unknown. */
  readonly severityNumber: number;
  readonly severityText: string;
  /** `null` if there is none. */
  readonly body: unknown;
  readonly attributes: Members;
  /** Hexadecimal, empty if unknown or invalid. */
  readonly traceId: string;
  /** Hexadecimal, empty if unknown or invalid. */
  readonly spanId: string;
  readonly flags: number;
  readonly eventName: string;
}

/** What the records of one scope share. */
export interface LogSource {
  readonly resource: Members;
  readonly scope: Members;
}

/** Records are decoded lazily; yields `undefined` where the caller may pause. */
export type LogRecords = Generator<
  { readonly source: LogSource; readonly read: () => LogRecord } | undefined
>;

/** Thrown for a record that can't be stored. The other records of the request are stored. */
export class RecordError extends Error {}

const MAX_DEPTH = 200;
const MAX_VALUES = 10_000;
/** A value has up to four fields. */
const MAX_FIELDS = 5 * MAX_VALUES;

/** Limits the size of one record: a request with a few huge records must not block the server. */
export class RecordLimit {
  #values = 0;
  #fields = 0;

  /**
   * Counts an attribute, an item of an array or a member of a key-value list.
   *
   * @throws RecordError
   */
  addValue(depth: number): void {
    if (depth > MAX_DEPTH) throw new RecordError(`A record is ${TOO_DEEP}.`);
    if (++this.#values > MAX_VALUES) throw new RecordError(`A record has more than ${MAX_VALUES} values.`);
  }

  /**
   * Counts a field in protobuf, also if it is unknown or repeated.
   *
   * @throws RecordError
   */
  addField(): void {
    if (++this.#fields > MAX_FIELDS) throw new RecordError(`A record has more than ${MAX_FIELDS} fields.`);
  }
}

/** The JSON value of an int64, which keeps all digits. */
export function integerValue(value: bigint): unknown {
  return parseExactJson(String(value));
}

/** The JSON value of a double: JSON has no `NaN` and no infinity. */
export function doubleValue(value: number): unknown {
  return Number.isFinite(value) ? value : String(value);
}

/** The ID in lower case; empty if it is invalid: then the record has no trace. */
export function validId(hexadecimal: string, bytes: number): string {
  const id = hexadecimal.toLowerCase();
  return id.length === bytes * 2 && /^[\da-f]*[1-9a-f][\da-f]*$/.test(id) ? id : '';
}
