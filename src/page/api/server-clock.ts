import { signal } from '@preact/signals';

/** Smaller differences are the time that responses take, and the fractions that the header doesn't have. */
const MIN_DIFFERENCE_MS = 2000;
/** Differences that can be noticed in times of records. */
const SHOWN_MS = 10_000;
/** The clock of this browser may be set while the page is open. */
const KEPT_MS = 60_000;

let aheadMs = 0;
let notedAt = Number.NEGATIVE_INFINITY;

/** Notes the time of the server in a response. The largest of several differences is the most exact one. */
export function noteServerTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now();
  if (Number.isNaN(difference)) return;
  if (difference < aheadMs && performance.now() - notedAt < KEPT_MS) return;
  aheadMs = difference;
  aheadSeconds.value = Math.abs(aheadMs) < SHOWN_MS ? 0 : Math.round(aheadMs / 1000);
  notedAt = performance.now();
}

/** Seconds by which the clock of the server is ahead of that of this browser; 0 if they agree. */
export const aheadSeconds = signal(0);

/** The current time on the server, which gives records their time of arrival, in epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + (Math.abs(aheadMs) < MIN_DIFFERENCE_MS ? 0 : aheadMs);
}
