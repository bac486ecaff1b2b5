import { crc32 } from 'node:zlib';
import * as ascii from '../../core/ascii.ts';
import { MAX_BYTES_PER_UNIT, MAX_KEPT_BYTES } from '../record/line-bytes.ts';
import type { IngestRecord } from '../record/record.ts';

/** The checksum and a space. */
export const PREFIX_BYTES = 9;
const INITIAL_BYTES = 64 * 1024;

/** In JSON, these are whitespace between tokens. Here, they separate lines and tags. */
const SEPARATORS = /[\n\t]/g;

const DIGITS = Buffer.from('0123456789abcdef');

/**
 * Writes records as the lines of a segment: `<crc32 as 8 hexadecimal digits> <tags>\t<event>\n`. The checksum covers
 * the bytes between the space and the newline.
 */
export class LineWriter {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;
  records = 0;
  eventBytes = 0;

  /** The added lines. Valid until the next call of {@link add} or {@link clear}. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(record: IngestRecord): void {
    const { tagsText, byteLength } = record;
    this.#reserve(PREFIX_BYTES + tagsText.length * MAX_BYTES_PER_UNIT + byteLength + 2);
    const buffer = this.#buffer;
    const start = this.#length + PREFIX_BYTES;
    let end = start + buffer.write(tagsText.replaceAll(SEPARATORS, ' '), start);
    buffer[end++] = ascii.TAB;
    record.writeTo(buffer, end);
    end += byteLength;
    writeHex(buffer, crc32(buffer.subarray(start, end)), this.#length);
    buffer[start - 1] = ascii.SPACE;
    this.eventBytes += byteLength;
    buffer[end++] = ascii.NEWLINE;
    this.#length = end;
    this.records++;
  }

  clear(): void {
    if (this.#buffer.length > MAX_KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(INITIAL_BYTES);
    this.#length = 0;
    this.records = 0;
    this.eventBytes = 0;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function writeHex(buffer: Buffer, value: number, offset: number): void {
  for (let i = 7, rest = value; i >= 0; i--, rest >>>= 4) buffer[offset + i] = DIGITS[rest & 15]!;
}
