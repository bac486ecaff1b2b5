import { open } from 'node:fs/promises';
import { LineCutter } from './line-cutter.ts';
import type { SegmentContent } from './segment.ts';

export interface SegmentScan extends SegmentContent {
  /** Number of lines that are not valid records. */
  readonly damagedLines: number;
  /** Size of an incomplete line at the end, which was truncated. */
  readonly tornBytes: number;
}

/**
 * Counts the records of a segment that another process has left. Yields to the event loop between reads, without keeping
 * the process alive.
 *
 * @param shouldStop checked between reads; if true, the result is `undefined`.
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
      for (let line = cutter.peek(); line !== 'incomplete'; line = cutter.peek()) {
        if (line === 'record') {
          records++;
          eventBytes += cutter.eventBytes;
        } else damagedLines++;
        cutter.next();
      }
      await nextTurn();
      if (shouldStop()) return undefined;
    }
    const tornBytes = cutter.readOffset - cutter.offset;
    const size = cutter.offset;
    // Fails if the disk is not writable at the moment.
    if (tornBytes > 0) await file.truncate(size).catch(() => {});
    return { from, size, records, eventBytes, damagedLines, tornBytes };
  } finally {
    await file.close();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve).unref();
  });
}
