/** An event that is JSON text already, as the ingester takes it. */
export class LineRecord {
  readonly eventText: string;
  /** The tags as JSON. */
  readonly tagsText: string;
  readonly byteLength: number;

  constructor(eventText: string, tagsText: string) {
    this.eventText = eventText;
    this.tagsText = tagsText;
    this.byteLength = Buffer.byteLength(eventText);
  }

  writeTo(memory: Buffer, at: number): void {
    memory.write(this.eventText, at);
  }

  kept(): this {
    return this;
  }
}
