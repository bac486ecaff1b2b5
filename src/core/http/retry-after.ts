/** Maximum wait, even if the service requests a longer one; also keeps timers in range. */
export const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** The wait that a response requests, in milliseconds: by `Retry-After`, or CrowdStrike's `X-Ratelimit-RetryAfter`. */
export function retryAfterOf(response: { header(name: string): string | undefined }): number | undefined {
  // The clock of this computer may be wrong.
  const nowMs = parseHttpDate(response.header('date') ?? '') ?? Date.now();
  return (
    parseRetryAfter(response.header('retry-after'), nowMs) ??
    parseRateLimitReset(response.header('x-ratelimit-retryafter'), nowMs)
  );
}

/** The end of the pause in epoch seconds. A small number must be a duration. */
function parseRateLimitReset(value: string | undefined, nowMs: number): number | undefined {
  const seconds = Number(value?.trim() || Number.NaN);
  if (!(seconds >= 0)) return undefined;
  return Math.max(0, seconds > 1e9 ? seconds * 1000 - nowMs : seconds * 1000);
}

/**
 * Parses a `Retry-After` header: seconds, or an HTTP date.
 *
 * @returns milliseconds from `nowMs`; 0 for a date in the past; undefined if it is invalid.
 */
export function parseRetryAfter(value: string | undefined, nowMs = Date.now()): number | undefined {
  const text = value?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const atMs = parseHttpDate(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - nowMs);
}

/** `Date.parse` accepts almost anything; every HTTP date starts with the name of a day. */
function parseHttpDate(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The oldest of the three formats has no zone, but means GMT.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isFinite(atMs) ? atMs : undefined;
}
