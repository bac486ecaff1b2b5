import type { FileHandle } from 'node:fs/promises';
import { withoutNuls } from '../../../core/binary.ts';
import { NO_BYTES, utf8Text, withoutMark } from '../../../core/bytes.ts';
import { MAX_LINE_BYTES } from '../../../core/line-splitter.ts';
import type { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { readLogLine } from '../../../core/records/log-line.ts';
import { recordPlaces } from '../../../core/records/log-records.ts';

const PART_BYTES = 1024 * 1024;
const LF = 0x0a;

/** Whole lines of a file, in order. */
export interface FilePart {
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
  let following: Uint8Array = NO_BYTES;
  let firstTime: number | undefined;
  for (let end = size; end > 0; ) {
    const { bytes, start } = await partBefore(file, end);
    const whole = following.length === 0 ? bytes : Buffer.concat([bytes, following]);
    const [timedAt, time] = firstTimed(bytes, start === 0 ? 0 : 1, times) ?? [];
    firstTime = time ?? firstTime;
    const isOpen = start > 0 && time === undefined && whole.length < MAX_LINE_BYTES;
    const from = start === 0 ? 0 : (timedAt ?? 0);
    const own = start === 0 ? withoutNuls(withoutMark(whole)) : whole.subarray(from);
    if (!isOpen) yield { bytes: own, firstTime, left: start };
    following = isOpen ? whole : whole.subarray(0, from);
    end = start;
  }
}

/** The first record with a time, which most parts have near their start. @param first the first record that is surely whole */
function firstTimed(bytes: Buffer, first: number, times: WrittenTimes) {
  for (const size of [PART_BYTES / 16, bytes.length]) {
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

async function partBefore(
  file: FileHandle,
  end: number,
): Promise<{ readonly bytes: Buffer; readonly start: number }> {
  for (let length = PART_BYTES; ; length *= 2) {
    const from = Math.max(0, end - length);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(end - from), 0, end - from, from);
    const bytes = buffer.subarray(0, bytesRead);
    if (from === 0) return { bytes, start: 0 };
    const first = bytes.indexOf(LF) + 1;
    if (first > 0 && first < bytes.length) return { bytes: bytes.subarray(first), start: from + first };
    if (length >= MAX_LINE_BYTES) return { bytes, start: from };
  }
}
