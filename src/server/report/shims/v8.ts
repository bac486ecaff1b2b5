/** The part of `node:v8` that query jobs use: browsers report no heap limit. */
export function getHeapStatistics(): { used_heap_size: number; heap_size_limit: number } {
  return { used_heap_size: 0, heap_size_limit: 1 };
}
