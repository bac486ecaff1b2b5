import { setTimeout as wait } from 'node:timers/promises';

/** How often a drop falls, unless the rate is lower than that. */
const DROP_MS = 50;

/**
 * Lets bytes through no faster than the rate, in drops.
 *
 * @throws the reason of `end` when that aborts.
 */
export async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  bytesPerSecond: number,
  end: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const dropBytes = Math.max(1, Math.floor((bytesPerSecond * DROP_MS) / 1000));
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += dropBytes) {
      const drop = chunk.subarray(at, at + dropBytes);
      await wait((drop.byteLength / bytesPerSecond) * 1000, undefined, { signal: end });
      yield drop;
    }
  }
}
