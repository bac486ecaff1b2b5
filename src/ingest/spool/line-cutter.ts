import { crc32 } from 'node:zlib';
import { createRecord, type IngestRecord } from '../record/record.ts';

const NEWLINE = 10;
const SPACE = 32;
const TAB = 9;
const PREFIX_BYTES = 9;
const USUAL_BYTES = 128 * 1024;
/** What has no end after so many bytes is no line of ours. */
const LONGEST_LINE_BYTES = 256 * 1024 * 1024;

/** What stands at the beginning of the bytes: a record, a line that is none, or not enough to tell. */
export type CutLine = 'record' | 'damaged' | 'incomplete';

/**
 * Cuts the bytes of a segment into lines and checks them. The caller brings the bytes, so that they can be read with
 * or without waiting.
 */
export class LineCutter {
  #buffer = Buffer.allocUnsafe(USUAL_BYTES);
  #start = 0;
  #end = 0;
  /** Where the present line ends, when that is known. */
  #lineEnd = -1;
  /** There is no newline between start and here. */
  #searchedTo = 0;
  #eventStart = 0;
  /** What stands at start has this place in the segment. */
  #offset = 0;
  #lineOffset = 0;
  /** In the middle of a line that is too long to be one. */
  #isSkipping = false;
  /** Those of the record that was read last. */
  #tags: Buffer = Buffer.alloc(0);
  #tagsText = '';

  /** Where the present line begins in the segment. */
  get offset(): number {
    return this.#lineOffset;
  }

  /** Where to go on reading in the segment. */
  get readOffset(): number {
    return this.#offset + this.#end - this.#start;
  }

  /** Goes to another place, and forgets what was read. */
  moveTo(offset: number): void {
    if (this.#buffer.length > USUAL_BYTES) this.#buffer = Buffer.allocUnsafe(USUAL_BYTES);
    this.#start = 0;
    this.#end = 0;
    this.#searchedTo = 0;
    this.#lineEnd = -1;
    this.#offset = offset;
    this.#lineOffset = offset;
    this.#isSkipping = false;
  }

  /** Where the next bytes go; call {@link filled} when they are there. Never empty. */
  room(): Buffer {
    if (this.#start > 0) {
      this.#buffer.copyWithin(0, this.#start, this.#end);
      this.#searchedTo -= this.#start;
      this.#end -= this.#start;
      this.#start = 0;
    }
    if (this.#end === this.#buffer.length) {
      const larger = Buffer.allocUnsafe(this.#buffer.length * 2);
      this.#buffer.copy(larger, 0, 0, this.#end);
      this.#buffer = larger;
    }
    return this.#buffer.subarray(this.#end);
  }

  filled(bytes: number): void {
    this.#end += bytes;
  }

  /** Tells what the present line is, again and again until {@link next} is called. */
  look(): CutLine {
    if (this.#lineEnd < 0 && !this.#findEnd()) return 'incomplete';
    return !this.#isSkipping && this.#isRecord() ? 'record' : 'damaged';
  }

  /** The size of the event. Only for a record. */
  get eventBytes(): number {
    return this.#lineEnd - this.#eventStart;
  }

  /** Only for a record. */
  record(): IngestRecord {
    this.#readTags(this.#start + PREFIX_BYTES, this.#eventStart - 1);
    return createRecord(this.#buffer.toString('utf8', this.#eventStart, this.#lineEnd), this.#tagsText);
  }

  /** Goes to the next line. Not for an incomplete one. */
  next(): void {
    this.#drop(this.#lineEnd + 1);
    this.#lineOffset = this.#offset;
    this.#lineEnd = -1;
    this.#isSkipping = false;
  }

  /** Mostly they are those of the record before. */
  #readTags(start: number, end: number): void {
    const tags = this.#tags;
    if (tags.length === end - start && this.#buffer.compare(tags, 0, tags.length, start, end) === 0) return;
    this.#tags = Buffer.from(this.#buffer.subarray(start, end));
    this.#tagsText = this.#tags.toString();
  }

  #findEnd(): boolean {
    const found = this.#buffer.indexOf(NEWLINE, this.#searchedTo);
    // Behind the end there may be newlines of earlier bytes.
    if (found >= 0 && found < this.#end) {
      this.#lineEnd = found;
      return true;
    }
    this.#searchedTo = this.#end;
    if (this.#isSkipping || this.#end - this.#start >= LONGEST_LINE_BYTES) {
      this.#isSkipping = true;
      this.#drop(this.#end);
    }
    return false;
  }

  #drop(to: number): void {
    this.#offset += to - this.#start;
    this.#start = to;
    this.#searchedTo = to;
  }

  #isRecord(): boolean {
    const buffer = this.#buffer;
    const textStart = this.#start + PREFIX_BYTES;
    if (textStart > this.#lineEnd || buffer[textStart - 1] !== SPACE) return false;
    const tab = buffer.indexOf(TAB, textStart);
    if (tab < 0 || tab >= this.#lineEnd) return false;
    this.#eventStart = tab + 1;
    return readHex(buffer, this.#start) === crc32(buffer.subarray(textStart, this.#lineEnd));
  }
}

/** @returns a number that no checksum is, when there are other characters than our digits. */
function readHex(buffer: Buffer, offset: number): number {
  let value = 0;
  for (let i = offset; i < offset + PREFIX_BYTES - 1; i++) {
    const code = buffer[i]!;
    if (code >= 48 && code <= 57) value = value * 16 + code - 48;
    else if (code >= 97 && code <= 102) value = value * 16 + code - 87;
    else return -1;
  }
  return value;
}
