import { randomBytes } from 'node:crypto';
import { memberName, membersOf } from '../../core/json-text.ts';
import { createRecord, type IngestRecord } from '../record/record.ts';

const MARKS = ['batchId', 'seq'];

/**
 * Returns a function that adds the fields `batchId` and `seq`, the number of the record, so that duplicates can be
 * detected if a batch arrives twice. They replace fields of the same names.
 *
 * @param container the member of a record that contains its fields.
 * @param batchId unique per ingester, not per request: a batch may be sent in parts, or differ after a restart.
 */
export function batchMarker(container = 'attributes', batchId = randomBytes(6).toString('hex')) {
  return ({ eventText, tagsText }: IngestRecord, number: number): IngestRecord =>
    createRecord(withMembers(eventText, container, `"batchId":"${batchId}","seq":${number}`), tagsText);
}

function withMembers(eventText: string, container: string, added: string): string {
  const members = membersOf(eventText);
  const attributes = members.findLast((member) => memberName(member) === container);
  if (attributes === undefined)
    return eventText.replace('{', `{"${container}":{${added}}${members.length > 0 ? ',' : ''}`);
  const { value, valueStart } = attributes;
  const isNull = value.trim() === 'null';
  if (!isNull && !value.startsWith('{')) return eventText; // The service rejects the event.
  const own = isNull ? [] : membersOf(value).filter((member) => !MARKS.includes(memberName(member)));
  const written = [added, ...own.map(({ name, value }) => `${name}:${value}`)];
  return `${eventText.slice(0, valueStart)}{${written.join()}}${eventText.slice(valueStart + value.length)}`;
}
