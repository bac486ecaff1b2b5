import { signal } from '@preact/signals';

/** Differences that a person should know of. A busy server writes times that are seconds old. */
const SHOWN_MS = 60_000;
/** The header has no fractions of seconds. */
const SECOND_MS = 1000;

let aheadMs = 0;

/**
 * Notes the time of the server in a response. The server wrote it between `sentAt` and now. A known difference that fits
 * between the two is kept, however long the response took.
 */
export function noteServerTime(date: string | null, sentAt: number): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  const least = time - Date.now();
  if (aheadMs < least) aheadMs = least;
  else if (aheadMs > time + SECOND_MS - sentAt) aheadMs = Math.max(least, time - SECOND_MS - sentAt);
  aheadSeconds.value = Math.abs(aheadMs) < SHOWN_MS ? 0 : Math.round(aheadMs / 1000);
}

/** Seconds by which the clock of the server is ahead of that of this browser; 0 if they agree. */
export const aheadSeconds = signal(0);

/** The current time on the server, which gives records their time of arrival, in epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
