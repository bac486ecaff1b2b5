import { randomBytes } from 'node:crypto';
import { createRecord, type IngestRecord } from './record.ts';

const ATTRIBUTES = '"attributes":{';

/** Marks records so that the copies of one can be told, should its batch arrive twice. */
export class BatchIds {
  /** Differs from that of every other ingester. */
  readonly #prefix = randomBytes(6).toString('hex');
  #batches = 0;

  /** @param firstNumber the number of the first record, which becomes its `seq` */
  mark(records: readonly IngestRecord[], firstNumber: number): IngestRecord[] {
    const batchId = `${this.#prefix}-${++this.#batches}`;
    return records.map((record, index) =>
      withMembers(record, `"batchId":"${batchId}","seq":${firstNumber + index}`),
    );
  }

  /** As {@link mark}, for a record whose batch is not known yet. */
  markOne(record: IngestRecord, number: number): IngestRecord {
    return withMembers(record, `"batchId":"${this.#prefix}","seq":${number}`);
  }
}

function withMembers({ eventText, tagsText }: IngestRecord, members: string): IngestRecord {
  const start = eventText.indexOf(ATTRIBUTES) + ATTRIBUTES.length;
  const comma = eventText[start] === '}' ? '' : ',';
  return createRecord(`${eventText.slice(0, start)}${members}${comma}${eventText.slice(start)}`, tagsText);
}
