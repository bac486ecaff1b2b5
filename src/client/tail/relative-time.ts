/** A length of time as a relative `start`, rounded up to whole seconds. */
export function toRelativeStart(lengthMs: number): string {
  return `${Math.max(1, Math.ceil(lengthMs / 1_000))}s`;
}
