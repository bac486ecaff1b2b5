import { createRecord, type IngestRecord } from './record.ts';

/** Records that travel in one request. */
export class Batch {
  readonly records: readonly IngestRecord[];
  /** The size of the events; the request has the tags and a little punctuation on top. */
  readonly byteLength: number;

  constructor(records: readonly IngestRecord[]) {
    this.records = records;
    this.byteLength = records.reduce((sum, record) => sum + record.byteLength, 0);
  }

  /**
   * Reads the body of a request again. The texts of the events are those that went in, byte for byte, whether they are
   * good JSON or not.
   */
  static fromBody(body: string): Batch {
    const records: IngestRecord[] = [];
    let tagsText = '';
    for (const line of body.split('\n')) {
      if (line.startsWith('{'))
        records.push(createRecord(line.endsWith(',') ? line.slice(0, -1) : line, tagsText));
      else if (line.endsWith(GROUP_END))
        tagsText = line.slice(line.indexOf(GROUP_START) + GROUP_START.length, -GROUP_END.length);
    }
    return new Batch(records);
  }

  get length(): number {
    return this.records.length;
  }

  /**
   * The body of a structured ingest request: one group for each set of tags, in which the records keep their order.
   * The texts are joined as they are, each on a line of its own: JSON text has no line ends, so {@link fromBody} finds
   * them again.
   */
  body(): string {
    const groups = new Map<string, string[]>();
    for (const { eventText, tagsText } of this.records) {
      const group = groups.get(tagsText);
      if (group === undefined) groups.set(tagsText, [eventText]);
      else group.push(eventText);
    }
    const texts: string[] = [];
    for (const [tagsText, events] of groups) {
      texts.push(`${GROUP_START}${tagsText}${GROUP_END}\n${events.join(',\n')}\n]}`);
    }
    return `[${texts.join(',')}]`;
  }

  /** Both halves, the older records first. */
  halves(): [Batch, Batch] {
    const middle = Math.ceil(this.length / 2);
    return [new Batch(this.records.slice(0, middle)), new Batch(this.records.slice(middle))];
  }
}

const GROUP_START = '{"tags":';
const GROUP_END = ',"events":[';
