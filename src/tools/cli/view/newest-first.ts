import type { FileHandle } from 'node:fs/promises';
import { LineSplitter } from '../../../core/line-splitter.ts';
import { WrittenTimes } from '../../../core/records/formats/written-times.ts';
import { timeOfLine } from '../../../core/records/log-line.ts';

const PART_BYTES = 1024 * 1024;
/** Longer lines are split, so that a file without newlines can't exhaust memory. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const LF = 0x0a;

/** Whole lines of a file, without blank ones, in order. */
export interface FilePart {
  readonly lines: readonly string[];
  /** The time of the lines before the first one that has a time, epoch milliseconds; `undefined` if no time is known. */
  readonly firstTime: number | undefined;
  /** Bytes of the file before this part. */
  readonly left: number;
}

/**
 * The parts of a file, the newest one first. Lines without a time, such as those of a stack, are in the same part as the
 * line before them.
 */
export async function* newestFirst(file: FileHandle, size: number): AsyncGenerator<FilePart> {
  let following: readonly string[] = [];
  const times = new WrittenTimes();
  let firstTime: number | undefined;
  for (let end = size; end > 0; ) {
    const { bytes, start } = await partBefore(file, end);
    const lines = linesIn(bytes);
    const timed = lines.findIndex((line) => timeOfLine(line, times) !== undefined);
    if (timed !== -1) firstTime = timeOfLine(lines[timed]!, times);
    const from = start === 0 ? 0 : Math.max(0, timed);
    yield { lines: [...lines.slice(from), ...following], firstTime, left: start };
    following = lines.slice(0, from);
    end = start;
  }
}

function linesIn(bytes: Uint8Array): readonly string[] {
  const splitter = new LineSplitter();
  return [...splitter.push(bytes), ...splitter.flush()].filter((line) => line.trim() !== '');
}

async function partBefore(
  file: FileHandle,
  end: number,
): Promise<{ readonly bytes: Uint8Array; readonly start: number }> {
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
