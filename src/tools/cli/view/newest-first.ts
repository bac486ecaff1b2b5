import type { FileHandle } from 'node:fs/promises';
import { withoutNuls } from '../../../core/binary.ts';
import { withoutMark } from '../../../core/bytes.ts';
import { MAX_LINE_BYTES } from '../../../core/line-splitter.ts';
import type { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { readLogLine } from '../../../core/records/log-line.ts';

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
 * The parts of a file, the newest one first. Lines without a time, such as those of a stack, are in the same part as the
 * line before them.
 */
export async function* newestFirst(
  file: FileHandle,
  size: number,
  times: WrittenTimes,
): AsyncGenerator<FilePart> {
  let following: Uint8Array = new Uint8Array();
  let firstTime: number | undefined;
  for (let end = size; end > 0; ) {
    const { bytes, start } = await partBefore(file, end);
    const timed = firstTimed(bytes, times);
    firstTime = timed?.time ?? firstTime;
    const from = start === 0 ? 0 : (timed?.start ?? 0);
    const own = start === 0 ? withoutNuls(withoutMark(bytes)) : bytes.subarray(from);
    yield { bytes: following.length === 0 ? own : Buffer.concat([own, following]), firstTime, left: start };
    following = bytes.subarray(0, from);
    end = start;
  }
}

/** The first line with a time. */
function firstTimed(
  bytes: Buffer,
  times: WrittenTimes,
): { readonly start: number; readonly time: number } | undefined {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(LF, start);
    const end = newline === -1 ? bytes.length : newline;
    const time = readLogLine(bytes.toString('utf8', start, end), times).time;
    if (time !== undefined) return { start, time };
    start = end + 1;
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
