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
      if (line.startsWith('{')) {
        records.push(createRecord(line.endsWith(',') ? line.slice(0, -1) : line, tagsText));
      } else if (line.endsWith(GROUP_MIDDLE)) {
        const start = line.indexOf(GROUP_START) + GROUP_START.length;
        tagsText = line.slice(start, -GROUP_MIDDLE.length);
      }
    }
    return new Batch(records);
  }

  get length(): number {
    return this.records.length;
  }

  /**
   * Writes the body of a structured ingest request: one group for each set of tags, in which the records keep their
   * order. The texts are written as they are, each on a line of its own: JSON text has no line ends, so
   * {@link fromBody} finds them again.
   *
   * @param allocate gives memory of the size that it is asked for, or more.
   * @returns the part of that memory that holds the body
   */
  writeBody(allocate: (maxBytes: number) => Buffer): Buffer {
    const groups = this.#groups();
    const into = allocate(this.byteLength + BYTES_PER_EVENT * this.length + groupBytes(groups));
    let end = into.write('[', 0);
    for (const [tagsText, events] of groups) {
      // Short pieces, so that the body is never in memory as a string as well.
      end += into.write(`${end === 1 ? '' : ','}${GROUP_START}${tagsText}${GROUP_MIDDLE}\n`, end);
      for (let index = 0; index < events.length; index++) {
        end += into.write(events[index]!, end);
        end += into.write(index === events.length - 1 ? '\n' : ',\n', end, 'latin1');
      }
      end += into.write(GROUP_END, end);
    }
    end += into.write(']', end);
    return into.subarray(0, end);
  }

  /** Both halves, the older records first. */
  halves(): [Batch, Batch] {
    const middle = Math.ceil(this.length / 2);
    return [new Batch(this.records.slice(0, middle)), new Batch(this.records.slice(middle))];
  }

  /** The texts of the events, by the text of their tags. */
  #groups(): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const { eventText, tagsText } of this.records) {
      const group = groups.get(tagsText);
      if (group === undefined) groups.set(tagsText, [eventText]);
      else group.push(eventText);
    }
    return groups;
  }
}

const GROUP_START = '{"tags":';
const GROUP_MIDDLE = ',"events":[';
const GROUP_END = ']}';

/** A comma and a line end. */
const BYTES_PER_EVENT = 2;

function groupBytes(groups: ReadonlyMap<string, unknown>): number {
  const punctuation = `,${GROUP_START}${GROUP_MIDDLE}\n${GROUP_END}`.length;
  let bytes = '[]'.length;
  for (const tagsText of groups.keys()) bytes += Buffer.byteLength(tagsText) + punctuation;
  return bytes;
}
