import { open } from 'node:fs/promises';
import { LineCutter } from './line-cutter.ts';
import type { SegmentContent } from './segment.ts';

export interface SegmentScan extends SegmentContent {
  /** Lines that are no records. */
  readonly damagedLines: number;
  /** The bytes of an unfinished line at the end. It was cut off. */
  readonly tornBytes: number;
}

/**
 * Looks through a segment that somebody left behind, a slice at a time, so that others have their turn in between.
 * Between slices it does not keep the process alive.
 *
 * @param shouldStop asked between slices; the promise resolves with `undefined` then.
 * @throws Error of the file system
 */
export async function scanSegment(
  path: string,
  from: number,
  shouldStop: () => boolean,
): Promise<SegmentScan | undefined> {
  const cutter = new LineCutter();
  cutter.moveTo(from);
  let records = 0;
  let eventBytes = 0;
  let damagedLines = 0;
  const file = await open(path, 'r+');
  try {
    for (;;) {
      const { bytesRead } = await file.read({ buffer: cutter.room(), position: cutter.readOffset });
      if (bytesRead === 0) break;
      cutter.filled(bytesRead);
      for (let line = cutter.look(); line !== 'incomplete'; line = cutter.look()) {
        if (line === 'record') {
          records++;
          eventBytes += cutter.eventBytes;
        } else damagedLines++;
        cutter.next();
      }
      await breathe();
      if (shouldStop()) return undefined;
    }
    const tornBytes = cutter.readOffset - cutter.offset;
    const size = cutter.offset;
    // The disk may be one that can't be written at the moment.
    if (tornBytes > 0) await file.truncate(size).catch(() => {});
    return { from, size, records, eventBytes, damagedLines, tornBytes };
  } finally {
    await file.close();
  }
}

function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve).unref();
  });
}
