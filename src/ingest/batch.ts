import type { IngestRecord } from './record.ts';

/** Records that travel in one request. */
export class Batch {
  readonly records: readonly IngestRecord[];

  constructor(records: readonly IngestRecord[]) {
    this.records = records;
  }

  get length(): number {
    return this.records.length;
  }

  /** The size of the events; the request has the tags and a little punctuation on top. */
  get byteLength(): number {
    return this.records.reduce((sum, record) => sum + record.byteLength, 0);
  }

  /**
   * The body of a structured ingest request: one group for each set of tags, in which the records keep their order.
   * The texts are joined as they are.
   */
  body(): string {
    const groups = new Map<string, string[]>();
    for (const { eventText, tagsText } of this.records) {
      const group = groups.get(tagsText);
      if (group === undefined) groups.set(tagsText, [eventText]);
      else group.push(eventText);
    }
    const texts: string[] = [];
    for (const [tagsText, events] of groups)
      texts.push(`{"tags":${tagsText},"events":[${events.join(',')}]}`);
    return `[${texts.join(',')}]`;
  }
}
