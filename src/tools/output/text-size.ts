/** Cuts text to a number of bytes in UTF-8, with the mark of the cut. */
export function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let end = Math.max(0, maxBytes - Buffer.byteLength('…'));
  const bytes = Buffer.from(text);
  // Continuation bytes belong to a character that starts before them.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return maxBytes < Buffer.byteLength('…') ? '' : `${bytes.subarray(0, end).toString()}…`;
}
