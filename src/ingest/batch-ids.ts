import { randomBytes } from 'node:crypto';
import { membersOf, valueEnd } from './json-text.ts';
import { createRecord, type IngestRecord } from './record.ts';

const ATTRIBUTES = '"attributes":{';
const OWN_NAMES = /"(?:batchId|seq)"/;

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

/** What the program itself has put there goes: of two members with one name, nobody says which one counts. */
function withMembers({ eventText, tagsText }: IngestRecord, members: string): IngestRecord {
  const start = eventText.indexOf(ATTRIBUTES) + ATTRIBUTES.length;
  const own = OWN_NAMES.test(eventText) ? attributesBut(eventText, start) : eventText.slice(start);
  const comma = own.startsWith('}') ? '' : ',';
  return createRecord(`${eventText.slice(0, start)}${members}${comma}${own}`, tagsText);
}

/** The attributes behind `start` without those that have our names, and what follows. */
function attributesBut(eventText: string, start: number): string {
  const object = start - 1;
  const kept = [...membersOf(eventText.slice(object))].filter(({ name }) => !OWN_NAMES.test(name));
  const rest = eventText.slice(valueEnd(eventText, object));
  return `${kept.map(({ name, value }) => `${name}:${value}`).join()}}${rest}`;
}
