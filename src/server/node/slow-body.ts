import { setTimeout as wait } from 'node:timers/promises';

/** Interval between chunks of {@link paced}, unless the rate is lower. */
const PACE_MS = 50;

/** Limits the speed of chunks. @throws the reason of `end` if it aborts */
export async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  bytesPerSecond: number,
  end: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.floor((bytesPerSecond * PACE_MS) / 1000));
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += size) {
      const part = chunk.subarray(at, at + size);
      await wait((part.byteLength / bytesPerSecond) * 1000, undefined, { signal: end });
      yield part;
    }
  }
}

/** The first bytes of chunks. @throws Error after them */
export async function* cutAfter(
  chunks: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.byteLength;
    if (left <= 0) throw new Error('The body is cut off on purpose.');
  }
}
