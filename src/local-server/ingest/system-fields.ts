/** What the server itself gives to every event, and what is left of one that is too large. */
export const SYSTEM_FIELDS: ReadonlySet<string> = new Set([
  '@timestamp',
  '@timestamp.nanos',
  '@id',
  '@ingesttimestamp',
  '@timezone',
  '@rawstring',
  '#repo',
  '#type',
]);

/** What no parser can change. */
export const OWN_FIELDS: ReadonlySet<string> = new Set(['@id', '@ingesttimestamp', '#repo']);

/** Whether a client may set a field: of those of the server, only the part of the time below a millisecond. */
export function isOpenToClients(name: string): boolean {
  return !SYSTEM_FIELDS.has(name) || name === '@timestamp.nanos';
}
