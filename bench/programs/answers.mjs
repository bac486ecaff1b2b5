// Handles calls from the parent process: calls arrive as messages, results are sent back.

/** @param {Record<string, (args: object) => unknown>} calls */
export function answer(calls) {
  process.on('message', async ({ id, call, args }) => {
    try {
      process.send({ id, result: await calls[call](args) });
    } catch (error) {
      process.send({ id, error: String(error?.stack ?? error) });
    }
  });
  // The parent has disconnected, so there are no more calls.
  process.on('disconnect', () => process.exit(0));
}

/** Epoch milliseconds with a fraction, comparable across processes. */
export const epochNow = () => performance.timeOrigin + performance.now();
