/** A service that asks for more than this is asked again all the same; it also keeps timers in their range. */
export const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** Milliseconds that a response asks to wait: by `Retry-After`, or CrowdStrike's `X-Ratelimit-RetryAfter`. */
export function retryAfterOf(response: { header(name: string): string | undefined }): number | undefined {
  return (
    parseRetryAfter(response.header('retry-after')) ??
    parseRateLimitReset(response.header('x-ratelimit-retryafter'))
  );
}

/** The end of the pause in epoch seconds. A smaller number can only be a duration. */
function parseRateLimitReset(value: string | undefined): number | undefined {
  const seconds = Number(value?.trim() || Number.NaN);
  if (!(seconds >= 0)) return undefined;
  return Math.max(0, seconds > 1e9 ? seconds * 1000 - Date.now() : seconds * 1000);
}

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 *
 * @returns milliseconds to wait from `nowMs`, 0 for a date that has passed, undefined for anything unreadable.
 */
export function parseRetryAfter(value: string | undefined, nowMs = Date.now()): number | undefined {
  const text = value?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
}

/** `Date.parse` reads nearly anything as a date; every form that HTTP allows begins with a day's name. */
function parseHttpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The oldest of the three forms names no zone; it is GMT all the same.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isFinite(atMs) ? atMs : undefined;
}
