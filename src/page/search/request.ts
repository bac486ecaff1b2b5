import { escapeRegex } from '../../core/escape-regex.ts';
import { quoteString } from '../../core/query-text.ts';
import { SERVICE_FIELDS } from '../../core/records/record-fields.ts';
import type { Row } from '../api/rows.ts';
import { durationOf, filledField, isError, type LogRecord, SHARED_ID } from '../records/log-record.ts';
import { isEqual } from './query-text.ts';

/** Fields with an ID that other records share, one for each ID. */
export function sharedIds(row: Row): readonly string[] {
  const names = Object.keys(row).filter((name) => SHARED_ID.test(name) && row[name] !== '');
  return [...new Map(names.map((name) => [idIn(row, name), name])).values()];
}

/** The ID in a field. That of a `traceparent` is its second part. */
export function idIn(row: Row, name: string): string {
  const value = String(row[name] ?? '');
  return /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(value)?.[1] ?? value;
}

/** An ID that is long enough to be no other word, so it means the same in all services. */
const UNIQUE_ID = /^[^\s*"\\]{8,200}$/;

/** A condition for all records with the ID in a field: anywhere, or in the same field of the same process if it is short. */
export function isOfRequest(row: Row, name: string): string {
  const id = idIn(row, name);
  if (UNIQUE_ID.test(id)) {
    // The word makes the pattern fast, which excludes longer words.
    const [before, after] = [/^\w/, /\w$/].map((edge) => (edge.test(id) ? '\\b' : ''));
    return `${quoteString(id)} /${before}${escapeRegex(id)}${after}/`;
  }
  const scope = [SERVICE_FIELDS, ['hostname'], ['pid']].flatMap((names) => filledField(row, names) ?? []);
  return [...new Set([...scope, name])].map((field) => isEqual(field, String(row[field]))).join(' ');
}

/** Whether a condition is for the records with an ID, which it has as a string or, if it has a star, as a pattern. */
export function isCondition(text: string, id: string): boolean {
  return [quoteString(id), escapeRegex(id)].some((form) => text.includes(form));
}

/**
 * The services of a request, by their start, and when they worked on it, in epoch milliseconds. A record with a duration
 * is written when the work is done.
 */
export function requestParts(all: readonly LogRecord[]) {
  return [...new Set(all.map(({ service }) => service))]
    .map((name) => {
      const own = all.filter(({ service }) => service === name);
      return {
        service: name,
        start: Math.min(...own.map((record) => record.time - durationOf(record))),
        end: Math.max(...own.map(({ time }) => time)),
        records: own.length,
        hasError: own.some(isError),
      };
    })
    .sort((left, right) => left.start - right.start);
}
