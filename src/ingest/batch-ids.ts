import { randomBytes } from 'node:crypto';
import { createRecord, type IngestRecord } from './record.ts';

const ATTRIBUTES = '"attributes":{';

/** Marks records so that the copies of one can be told, should its batch arrive twice. */
export class BatchIds {
  /** Differs from that of every other ingester. */
  readonly #prefix = randomBytes(6).toString('hex');
  #batches = 0;

  /** The id of a new batch. */
  next(): string {
    return `${this.#prefix}-${++this.#batches}`;
  }

  /** @param number the number of the record, which becomes its `seq`. */
  mark(record: IngestRecord, batchId: string, number: number): IngestRecord {
    return withMembers(record, `"batchId":"${batchId}","seq":${number}`);
  }

  /** As {@link mark}, for a record whose batch is not known yet. */
  markAlone(record: IngestRecord, number: number): IngestRecord {
    return this.mark(record, this.#prefix, number);
  }
}

function withMembers({ eventText, tagsText }: IngestRecord, members: string): IngestRecord {
  const start = eventText.indexOf(ATTRIBUTES) + ATTRIBUTES.length;
  const comma = eventText[start] === '}' ? '' : ',';
  return createRecord(`${eventText.slice(0, start)}${members}${comma}${eventText.slice(start)}`, tagsText);
}
