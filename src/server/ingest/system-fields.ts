import { TIME_SOURCE } from '../../core/records/record-fields.ts';

/** Fields that the server sets on every event, and that remain if an event is too large. */
export const SYSTEM_FIELDS: ReadonlySet<string> = new Set([
  '@timestamp',
  '@timestamp.nanos',
  TIME_SOURCE,
  '@id',
  '@ingesttimestamp',
  '@timezone',
  '@rawstring',
  '#repo',
  '#type',
]);

/** Fields that parsers can't change. */
export const OWN_FIELDS: ReadonlySet<string> = new Set(['@id', '@ingesttimestamp', '#repo']);

/** Whether a client may set a field: of the server's fields, only the sub-millisecond part of the time. */
export function isOpenToClients(name: string): boolean {
  return !SYSTEM_FIELDS.has(name) || name === '@timestamp.nanos';
}
