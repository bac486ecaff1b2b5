/** `node:timers/promises` as far as query jobs use it. */
export function setImmediate(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
