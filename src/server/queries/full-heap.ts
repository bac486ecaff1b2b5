/** Share of the heap at which it counts as full. */
const MAX_HEAP_SHARE = 0.9;

/** Reads how much of the heap is in use, and its maximum, in bytes. */
export type HeapGauge = () => { readonly used: number; readonly limit: number };

/**
 * Returns a test whether the heap is full of more than garbage. Call it at the end of each slice: V8 collects no object that
 * was read in the same turn of the event loop.
 */
export function heapTest(gauge: HeapGauge): () => boolean {
  /** An object that disappears with the next full garbage collection. */
  let canary: WeakRef<object> | undefined;
  return () => {
    const { used, limit } = gauge();
    const isOver = used > MAX_HEAP_SHARE * limit;
    const isFull = isOver && canary !== undefined && canary.deref() === undefined;
    if (isFull || !isOver) canary = undefined;
    else canary ??= new WeakRef({});
    return isFull;
  };
}
