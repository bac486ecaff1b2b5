import { utf8Text } from './bytes.ts';

/** What files of text don't have: control characters other than whitespace, backspaces and escapes. */
const CONTROLS = String.raw`\0+|[\x01-\x07\x0e-\x1a\x1c-\x1f]`;
const MAX_CONTROL_SHARE = 0.01;
/** A short text can have them, such as after a crash. */
const FEW_CONTROLS = 2;

/** The first bytes of compressed files. */
const SIGNATURES = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
  bzip2: [0x42, 0x5a, 0x68],
} as const;

export type Compression = keyof typeof SIGNATURES;

/** How a file with this start is compressed. */
export function compressionOf(start: Uint8Array): Compression | undefined {
  const names = Object.keys(SIGNATURES) as Compression[];
  const found = names.find((name) => SIGNATURES[name].every((byte, index) => start[index] === byte));
  // "BZh" can be text; a block of bzip2 starts with digits of pi.
  return found === 'bzip2' && (start[4] !== 0x31 || start[5] !== 0x41) ? undefined : found;
}

/** Whether a file with this start has other content than text. A log can have gaps of NULs, such as after a power loss. */
export function isBinary(start: Uint8Array): boolean {
  if (utf8Text(start.subarray(257, 262)) === 'ustar') return true;
  const gapsAndControls = utf8Text(start).match(new RegExp(CONTROLS, 'g'))?.length ?? 0;
  return gapsAndControls > Math.max(FEW_CONTROLS, MAX_CONTROL_SHARE * withoutNuls(start).length);
}

export function withoutNuls(bytes: Uint8Array): Uint8Array {
  return bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
}

/** The chunks of a file, without NULs. @param check receives the first one @param onNuls receives their number at the end */
export async function* textChunks(
  chunks: AsyncIterable<Uint8Array>,
  check: (start: Uint8Array) => void,
  onNuls: (count: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let [isStart, nuls] = [true, 0];
  for await (const chunk of chunks) {
    const text = withoutNuls(chunk);
    nuls += chunk.length - text.length;
    // An empty chunk is a pause.
    if (text.length === 0 && (isStart || chunk.length > 0)) continue;
    if (isStart) check(chunk);
    isStart = false;
    yield text;
  }
  if (nuls > 0) onNuls(nuls);
}
