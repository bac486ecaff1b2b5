/** `node:v8` as far as query jobs use it: a browser reports no heap limit. */
export function getHeapStatistics(): { used_heap_size: number; heap_size_limit: number } {
  return { used_heap_size: 0, heap_size_limit: 1 };
}
