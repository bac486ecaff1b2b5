interface Port {
  onmessage: () => void;
  postMessage(message: undefined): void;
}

/** Ends a turn of the event loop with a message: browsers have no `setImmediate`, and their timers wait for 4 ms. */
export function messageTurns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel() as unknown as { readonly port1: Port; readonly port2: Port };
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}
