/** What the queue holds: an event that is JSON text already, so that nothing is serialised twice. */
export interface IngestRecord {
  /** One event of a structured ingest request, as JSON. */
  readonly eventText: string;
  /** The tags of the event, as JSON with sorted names. */
  readonly tagsText: string;
  /** The size of the event in a request. */
  readonly byteLength: number;
}

export function createRecord(eventText: string, tagsText: string): IngestRecord {
  return { eventText, tagsText, byteLength: Buffer.byteLength(eventText) };
}
