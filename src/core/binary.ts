import { utf8Text } from './bytes.ts';

/** What files of text don't have: control characters other than whitespace, backspaces and escapes. */
const CONTROLS = String.raw`\0-\x07\x0e-\x1a\x1c-\x1f`;
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

/** Whether a file with this start has other content than text. A log can start with NULs, such as after a truncation. */
export function isBinary(start: Uint8Array): boolean {
  const bytes = withoutNuls(start);
  const controls = utf8Text(bytes).match(new RegExp(`[${CONTROLS}]`, 'g'))?.length ?? 0;
  return controls > Math.max(FEW_CONTROLS, MAX_CONTROL_SHARE * bytes.length);
}

/** The bytes after NULs at the start. */
export function withoutNuls(start: Uint8Array): Uint8Array {
  const first = start.findIndex((byte) => byte !== 0);
  return first === -1 ? new Uint8Array() : start.subarray(first);
}

/** The chunks of a file, without NULs at the start. @param check receives the first one */
export async function* textChunks(
  chunks: AsyncIterable<Uint8Array>,
  check: (start: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let isStart = true;
  for await (const chunk of chunks) {
    const text = isStart ? withoutNuls(chunk) : chunk;
    if (isStart && text.length === 0) continue;
    if (isStart) check(text);
    isStart = false;
    yield text;
  }
}
