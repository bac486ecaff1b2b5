/**
 * A generator that can be ended while it waits.
 *
 * An async generator queues `return()` behind a pending `next()`, so ending one that waits for the network would take
 * until a response arrives. Here, `return()` first calls `close`, which must end that wait. An error from the wait then
 * ends the sequence normally.
 */
export function closableGenerator<T>(
  generator: AsyncGenerator<T, void, undefined>,
  close: () => void,
): AsyncGenerator<T, void, undefined> {
  let closed = false;
  const end = { done: true, value: undefined } as const;
  const endIfClosed = (error: unknown): typeof end => {
    if (closed) return end;
    throw error;
  };
  const closable: AsyncGenerator<T, void, undefined> = {
    next: () => generator.next().catch(endIfClosed),
    async return() {
      closed = true;
      close();
      await generator.return();
      return end;
    },
    async throw(error) {
      await closable.return();
      throw error;
    },
    [Symbol.asyncIterator]: () => closable,
    async [Symbol.asyncDispose]() {
      await closable.return();
    },
  };
  return closable;
}
