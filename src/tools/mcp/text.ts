import { visibleLine } from '../output/terminal-text.ts';

/** Characters that are not seen but read by a language model, such as joiners, tags and variation selectors. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Log content as text of one line, without tabs. Hidden and control characters are escaped. */
export function oneLine(text: string): string {
  return visibleLine(text).replace(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Cuts text to a number of UTF-16 code units, and marks the cut. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = isHighSurrogate(text.charCodeAt(maxLength - 1)) ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}…`;
}

/** Cuts text to a number of bytes in UTF-8, with the mark of the cut. */
export function cutBytes(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text;
  let end = Math.max(0, maxBytes - bytesOf('…'));
  const bytes = Buffer.from(text);
  // Continuation bytes belong to a character that starts before them.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return maxBytes < bytesOf('…') ? '' : `${bytes.subarray(0, end).toString()}…`;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** A point in time as ISO 8601 in UTC. */
export function isoTime(epochMs: number): string {
  return Math.abs(epochMs) <= 8.64e15 ? new Date(epochMs).toISOString() : String(epochMs);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
