/** So much is kept: a few batches that are filled and compressed at the same time. */
const MAX_SPARE_BYTES = 6 * 1024 * 1024;

const spares: Buffer[] = [];
let spareBytes = 0;

/**
 * Memory that was given back, or else new one. New memory for every batch would pile up: the garbage collector hardly
 * notices memory outside its heap.
 */
export function takeMemory(minBytes: number): Buffer {
  const index = spares.findIndex(({ length }) => length >= minBytes);
  if (index === -1) return Buffer.allocUnsafeSlow(minBytes);
  const [memory] = spares.splice(index, 1) as [Buffer];
  spareBytes -= memory.length;
  return memory;
}

/** Nobody may use the memory any more. */
export function giveMemoryBack(memory: Buffer): void {
  if (memory.length > MAX_SPARE_BYTES) return;
  spares.push(memory);
  spareBytes += memory.length;
  if (spareBytes <= MAX_SPARE_BYTES) return;
  // The larger ones are worth more.
  spares.sort((a, b) => b.length - a.length);
  while (spareBytes > MAX_SPARE_BYTES) spareBytes -= spares.pop()?.length ?? 0;
}
