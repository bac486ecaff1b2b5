/** MurmurHash3 (32 bits) of UTF-16 code units. Not cryptographic. */
export function hashText(text: string, seed = 0): number {
  let hash = seed | 0;
  for (let index = 0; index < text.length; index += 2) {
    // Past the end, charCodeAt() is NaN, which `|` turns into 0.
    const pair = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
    const product = Math.imul(pair, 0xcc9e2d51);
    hash ^= Math.imul((product << 15) | (product >>> 17), 0x1b873593);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash ^= text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
