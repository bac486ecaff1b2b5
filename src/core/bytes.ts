import { tryOr } from './try-or.ts';

/** What the package uses of `Buffer`, which Node, Bun and Deno have. Browsers don't. */
interface NodeBuffer {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding?: 'latin1'): string };
  from(text: string): Uint8Array;
  byteLength(text: string): number;
}

type Test = 'isAscii' | 'isUtf8';

const { Buffer, process } = globalThis as {
  readonly Buffer?: NodeBuffer;
  readonly process?: {
    getBuiltinModule?(name: 'node:buffer'): Partial<Record<Test, (bytes: unknown) => boolean>>;
  };
};
const { isAscii = () => false, isUtf8 = () => true } = process?.getBuiltinModule?.('node:buffer') ?? {};
/** V8 keeps Latin-1 text of this size outside of its heap, and neither moves nor scans it. */
const EXTERNAL_BYTES = 1_000_000;

/** Decodes UTF-8. Invalid bytes become U+FFFD. Keeps a byte order mark. */
export function utf8Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const shared = Buffer?.from(buffer, byteOffset, byteLength);
  // Faster than a decoder, which jest-environment-jsdom may not have.
  if (shared !== undefined)
    return byteLength > EXTERNAL_BYTES && isAscii(shared) ? shared.toString('latin1') : shared.toString();
  const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** False if bytes are not UTF-8. True outside of Node.js, and for bytes that start or end within a character. */
export function mayBeUtf8(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, 3).findIndex((byte) => byte < 0x80 || byte > 0xbf);
  const last = bytes.subarray(-3).findLastIndex((byte) => byte < 0x80 || byte > 0xbf);
  const lastAt = Math.max(0, bytes.length - 3) + last;
  const end = last !== -1 && bytes[lastAt]! > 0xbf ? lastAt : bytes.length;
  return first === -1 || isUtf8(bytes.subarray(first, end));
}

/** Encodes as UTF-8. */
export function utf8Bytes(text: string): Uint8Array {
  return Buffer === undefined ? new TextEncoder().encode(text) : Buffer.from(text);
}

/** The length of a string in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer === undefined ? utf8Bytes(text).length : Buffer.byteLength(text);
}

/** The chunks of input. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export const NO_BYTES = new Uint8Array();

/** Joins chunks of bytes. */
export function concatBytes(
  chunks: readonly Uint8Array[],
  whole = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0)),
): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The start of input without its byte order mark. */
export function withoutMark(start: Uint8Array): Uint8Array {
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => start[index] === byte);
  return hasMark ? start.subarray(BYTE_ORDER_MARK.length) : start;
}

/** Decodes UTF-8 in chunks, without its byte order mark. */
export function textOfChunks(chunks: readonly Uint8Array[]): string {
  return withoutTextMark(utf8Text(concatBytes(chunks)));
}

/** A string without its byte order mark. */
export function withoutTextMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Decodes UTF-8 in base64, with or without padding; empty if it is not base64. */
export function base64Text(base64: string): string {
  return tryOr('', () => utf8Text(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))));
}

/** Random bytes in hexadecimal, 128 bits by default. */
export function randomHex(bytes = 16): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
