import { randomBytes } from 'node:crypto';
import { memberName, membersOf } from '../../core/json-text.ts';
import { createRecord, type IngestRecord } from '../record/record.ts';

/** Marks each record with a unique id, so that duplicates can be detected if a batch arrives twice. */
export class BatchIds {
  /** Unique per ingester, not per request: a batch may be sent in parts, or differ after a restart. */
  readonly batchId = randomBytes(6).toString('hex');
  readonly #container: string;

  /** @param container the member of a record that contains its fields. */
  constructor(container = 'attributes') {
    this.#container = container;
  }

  /** Adds the fields `batchId` and `seq`, the number of the record. They replace fields of the same names. */
  mark({ eventText, tagsText }: IngestRecord, number: number): IngestRecord {
    const marks = `"batchId":"${this.batchId}","seq":${number}`;
    return createRecord(withMembers(eventText, this.#container, marks), tagsText);
  }
}

function withMembers(eventText: string, container: string, added: string): string {
  const members = [...membersOf(eventText)];
  const attributes = members.findLast((member) => memberName(member) === container);
  if (attributes === undefined)
    return eventText.replace('{', `{"${container}":{${added}}${members.length > 0 ? ',' : ''}`);
  const { value, valueStart } = attributes;
  const isNull = value.trim() === 'null';
  if (!isNull && !value.startsWith('{')) return eventText; // The service rejects the event.
  const own = isNull ? [] : [...membersOf(value)].filter((member) => !isMark(memberName(member)));
  const written = [added, ...own.map(({ name, value }) => `${name}:${value}`)];
  return `${eventText.slice(0, valueStart)}{${written.join()}}${eventText.slice(valueStart + value.length)}`;
}

function isMark(name: string): boolean {
  return name === 'batchId' || name === 'seq';
}
