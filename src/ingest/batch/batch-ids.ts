import { randomBytes } from 'node:crypto';
import { memberName, membersOf, replaceMembers } from '../../core/json-text.ts';
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
  let isFound = false;
  const marked = replaceMembers(eventText, container, (value) => {
    isFound = true;
    const isNull = value.trim() === 'null';
    if (!isNull && !value.startsWith('{')) return value; // The service rejects the event.
    const own = isNull ? [] : membersOf(value).filter((member) => !MARKS.includes(memberName(member)));
    return `{${[added, ...own.map((member) => `${member.name}:${member.value}`)].join()}}`;
  });
  if (isFound) return marked;
  return eventText.replace('{', `{"${container}":{${added}}${membersOf(eventText).length > 0 ? ',' : ''}`);
}
