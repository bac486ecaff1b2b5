import { StringDecoder } from 'node:string_decoder';
import * as ascii from '../../core/ascii.ts';
import { skipSpace, stringEnd } from '../../core/json-text.ts';

/** Size of the longest possible note. */
const NOTE_BYTES = 40;

const NOTE = /… \[cut, (\d+) bytes in all\]$/;

/** A partial escape at the end, or the first half of an escaped surrogate pair. `before` are escaped backslashes. */
const PARTIAL_ESCAPE =
  /(?<!\\)(?<before>(?:\\\\)*)\\(?:u[\da-f]{0,3}|(?:ud[89ab][\da-f]{2})(?:\\(?:u[\da-f]{0,3})?)?)?$/i;

/** Indexes of the content of a string, without its quotes. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly byteLength: number;
}

/**
 * Cuts the longest strings in JSON, all to the same length, until the JSON has at most `maxBytes`. No string is cut to
 * less than `minBytes`, so the result can still be too long. Names are not cut. A cut string ends with a note of its
 * original size. Characters and escapes are never split.
 */
export function cutStrings(
  text: string,
  { maxBytes, minBytes }: { maxBytes: number; minBytes: number },
): string {
  const spans = longStrings(text, minBytes);
  const limit = commonLimit(spans, Buffer.byteLength(text) - maxBytes, minBytes);
  let result = '';
  let from = 0;
  for (const span of spans) {
    if (span.byteLength <= limit) continue;
    result += text.slice(from, span.start) + cut(text, span, limit);
    from = span.end;
  }
  return result + text.slice(from);
}

function longStrings(text: string, minBytes: number): Span[] {
  const spans: Span[] = [];
  let quote = text.indexOf('"');
  while (quote !== -1) {
    const behind = stringEnd(text, quote);
    const start = quote + 1;
    const end = behind - 1;
    quote = text.indexOf('"', behind);
    if ((end - start) * 3 <= minBytes) continue;
    const byteLength = Buffer.byteLength(text.slice(start, end));
    if (byteLength > minBytes && text.charCodeAt(skipSpace(text, behind)) !== ascii.COLON) {
      spans.push({ start, end, byteLength });
    }
  }
  return spans;
}

/** The length to which longer strings must be cut to save `excess` bytes. */
function commonLimit(spans: readonly Span[], excess: number, minBytes: number): number {
  const lengths = spans.map(({ byteLength }) => byteLength).sort((a, b) => b - a);
  let total = 0;
  for (const [index, length] of lengths.entries()) {
    total += length;
    const limit = Math.floor((total - excess) / (index + 1));
    if (limit >= (lengths[index + 1] ?? 0)) return Math.max(limit, minBytes);
  }
  return minBytes;
}

function cut(text: string, { start, end, byteLength }: Span, limit: number): string {
  const known = NOTE.exec(text.slice(Math.max(start, end - NOTE_BYTES), end))?.[1];
  const note = `… [cut, ${known ?? byteLength} bytes in all]`;
  return prefix(text.slice(start, end), limit - Buffer.byteLength(note)) + note;
}

/** The longest prefix of at most `maxBytes` that splits no character and no escape. */
function prefix(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes);
  return new StringDecoder().write(bytes).replace(PARTIAL_ESCAPE, '$<before>');
}
