/** The part of `node:timers/promises` that query jobs use. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
