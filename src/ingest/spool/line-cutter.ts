import { crc32 } from 'node:zlib';
import * as ascii from '../../core/ascii.ts';
import { createRecord, type IngestRecord } from '../record/record.ts';
import { PREFIX_BYTES } from './line-writer.ts';

const INITIAL_BYTES = 128 * 1024;

/** What the current line is. `incomplete`: more bytes are needed. */
export type CutLine = 'record' | 'damaged' | 'incomplete';

/** Splits the bytes of a segment, which the caller reads, into lines and verifies their checksums. */
export class LineCutter {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  /** Start of the current line in the buffer. */
  #start = 0;
  /** End of the bytes in the buffer. */
  #end = 0;
  /** End of the current line, or -1 if it is not known yet. */
  #lineEnd = -1;
  /** There is no newline between `#start` and here. */
  #searchedTo = 0;
  #eventStart = 0;
  /** Offset of `#start` in the segment. */
  offset = 0;

  /** Offset in the segment from which to read more bytes. */
  get readOffset(): number {
    return this.offset + this.#end - this.#start;
  }

  /** Continues at another offset and discards the bytes in the buffer. */
  moveTo(offset: number): void {
    if (this.#buffer.length > INITIAL_BYTES) this.#buffer = Buffer.allocUnsafe(INITIAL_BYTES);
    this.#start = 0;
    this.#end = 0;
    this.#searchedTo = 0;
    this.#lineEnd = -1;
    this.offset = offset;
  }

  /** Buffer for the next bytes, never empty. Call {@link filled} after reading into it. */
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

  /** Classifies the current line, which does not change until {@link next} is called. */
  peek(): CutLine {
    if (this.#lineEnd < 0 && !this.#findEnd()) return 'incomplete';
    return this.#isRecord() ? 'record' : 'damaged';
  }

  /** Size of the event in bytes. Only valid for a record. */
  get eventBytes(): number {
    return this.#lineEnd - this.#eventStart;
  }

  /** The record of the current line. Only valid for a record. */
  record(): IngestRecord {
    const tagsText = this.#buffer.toString('utf8', this.#start + PREFIX_BYTES, this.#eventStart - 1);
    return createRecord(this.#buffer.toString('utf8', this.#eventStart, this.#lineEnd), tagsText);
  }

  /** Moves to the next line. Not valid for an incomplete line. */
  next(): void {
    const next = this.#lineEnd + 1;
    this.offset += next - this.#start;
    this.#start = next;
    this.#searchedTo = next;
    this.#lineEnd = -1;
  }

  #findEnd(): boolean {
    const newlineAt = this.#buffer.indexOf(ascii.NEWLINE, this.#searchedTo);
    // The buffer may contain newlines of earlier bytes behind `#end`.
    if (newlineAt >= 0 && newlineAt < this.#end) {
      this.#lineEnd = newlineAt;
      return true;
    }
    this.#searchedTo = this.#end;
    return false;
  }

  #isRecord(): boolean {
    const buffer = this.#buffer;
    const textStart = this.#start + PREFIX_BYTES;
    if (textStart > this.#lineEnd || buffer[textStart - 1] !== ascii.SPACE) return false;
    const tab = buffer.indexOf(ascii.TAB, textStart);
    if (tab < 0 || tab >= this.#lineEnd) return false;
    this.#eventStart = tab + 1;
    return readHex(buffer, this.#start) === crc32(buffer.subarray(textStart, this.#lineEnd));
  }
}

/** @returns -1, which is never a checksum, for characters that {@link LineWriter} does not write. */
function readHex(buffer: Buffer, offset: number): number {
  const digits = buffer.toString('latin1', offset, offset + PREFIX_BYTES - 1);
  return /^[0-9a-f]{8}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}
