/** Milliseconds since the process started. Unlike `Date` and `performance`, tests do not replace it. */
export function uptimeMs(): number {
  return process.uptime() * 1_000;
}
