import { TOO_DEEP } from '../ingest/flatten.ts';
import type { Members } from '../ingest/request-shape.ts';

/** A record of a request as it is stored. */
export interface OtlpRecord {
  /** Epoch nanoseconds, 0 if unknown. */
  readonly time: bigint;
  /** JSON values. */
  readonly fields: Members;
}

/** What the records of one scope share. */
export interface RecordSource {
  readonly resource: Members;
  readonly scope: Members;
}

/** Records are decoded lazily; yields `undefined` where the caller may pause. */
export type OtlpRecords = Generator<
  { readonly source: RecordSource; readonly read: () => OtlpRecord } | undefined
>;

/** Thrown for a record that can't be stored. The other records of the request are stored. */
export class RecordError extends Error {}

const MAX_DEPTH = 200;
const MAX_VALUES = 10_000;
/** A value has up to four fields. */
const MAX_FIELDS = 5 * MAX_VALUES;
/** A value is up to three messages deeper than the one that contains it. */
const MAX_MESSAGE_DEPTH = 3 * (MAX_DEPTH + 2);

/** Limits the size of one record: a request with a few huge records must not block the server. */
export class RecordLimit {
  #values = 0;
  #fields = 0;

  /** Counts an attribute, an item of an array or a member of a key-value list. @throws RecordError */
  addValue(depth: number): void {
    if (depth > MAX_DEPTH) throw new RecordError(`A record is ${TOO_DEEP}.`);
    if (++this.#values > MAX_VALUES) throw new RecordError(`A record has more than ${MAX_VALUES} values.`);
  }

  /**
   * Counts a field in protobuf, also if it is unknown or repeated.
   *
   * @param depth number of messages around its own
   * @throws RecordError
   */
  addField(depth: number): void {
    if (depth > MAX_MESSAGE_DEPTH) throw new RecordError(`A record is ${TOO_DEEP}.`);
    if (++this.#fields > MAX_FIELDS) throw new RecordError(`A record has more than ${MAX_FIELDS} fields.`);
  }
}
