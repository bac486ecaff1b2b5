import type { FileHandle } from 'node:fs/promises';
import { withoutNuls } from '../../../core/binary.ts';
import { utf8Text, withoutMark } from '../../../core/bytes.ts';
import { MAX_LINE_BYTES } from '../../../core/line-splitter.ts';
import type { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { readLogLine } from '../../../core/records/log-line.ts';
import { recordPlaces } from '../../../core/records/log-records.ts';

const PART_BYTES = 1024 * 1024;
const START_BYTES = 16 * 1024;
const LF = 0x0a;

/** Whole lines of a file, in order. */
export interface FilePart {
  /** Only valid until the next part. */
  readonly bytes: Uint8Array;
  /** The time of the lines before the first one that has a time, epoch milliseconds; `undefined` if no time is known. */
  readonly firstTime: number | undefined;
  /** Bytes of the file before this part. */
  readonly left: number;
}

/**
 * The parts of a file, the newest one first. Each but the first of a file starts with a record that has a time: lines that
 * continue a record are in its part, and so are those of JSON over several lines.
 */
export async function* newestFirst(
  file: FileHandle,
  size: number,
  times: WrittenTimes,
): AsyncGenerator<FilePart> {
  let buffer = Buffer.allocUnsafe(Math.min(size, PART_BYTES));
  let firstTime: number | undefined;
  for (let end = size, length = PART_BYTES; end > 0; ) {
    const left = Math.max(0, end - length);
    if (buffer.length < end - left) buffer = Buffer.allocUnsafe(end - left);
    const { bytesRead } = await file.read(buffer, 0, end - left, left);
    const whole = buffer.subarray(0, bytesRead).indexOf(LF) + 1;
    const start = left === 0 || whole === bytesRead ? 0 : whole;
    const lines = buffer.subarray(start, bytesRead);
    const [timedAt = 0, time] = firstTimed(lines, left === 0 ? 0 : 1, times) ?? [];
    length *= 2;
    if (left > 0 && time === undefined && length <= MAX_LINE_BYTES) continue;
    firstTime = time ?? firstTime;
    const isFirst = left === 0;
    yield { bytes: withoutNuls(isFirst ? withoutMark(lines) : lines.subarray(timedAt)), firstTime, left };
    // What precedes the first time is read again.
    end = isFirst ? 0 : left + start + timedAt;
    length = PART_BYTES;
  }
}

/** The first record with a time, which most parts have near their start. @param first the first record that is surely whole */
function firstTimed(bytes: Buffer, first: number, times: WrittenTimes) {
  for (const size of [START_BYTES, bytes.length]) {
    const text = utf8Text(bytes.subarray(0, size));
    const { starts, ends } = recordPlaces(text);
    for (let index = first; index < starts.length; index++) {
      const { time } = readLogLine(text.slice(starts[index], ends[index]), times);
      if (time === undefined) continue;
      let start = 0;
      // A character can have several bytes.
      for (const _ of text.slice(0, starts[index]).matchAll(/\n/g)) start = bytes.indexOf(LF, start) + 1;
      return [start, time] as const;
    }
  }
  return undefined;
}
