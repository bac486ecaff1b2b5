// A program's side of the talk with its parent: calls come as messages, answers go back.

/** @param {Record<string, (args: object) => unknown>} calls */
export function answer(calls) {
  process.on('message', async ({ id, call, args }) => {
    try {
      process.send({ id, result: await calls[call](args) });
    } catch (error) {
      process.send({ id, error: String(error?.stack ?? error) });
    }
  });
  // Nobody is left to answer to.
  process.on('disconnect', () => process.exit(0));
}

/** Epoch milliseconds with a fraction, comparable between processes. */
export const epochNow = () => performance.timeOrigin + performance.now();
