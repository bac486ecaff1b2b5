import { utf8Text } from '../bytes.ts';
import { escapeRegex } from '../escape-regex.ts';

const MARK = '-----BEGIN';
/** Sources: the first and the last line of a private key in PEM. */
export const KEY_START = `${MARK}[ A-Z\\d]{0,40}PRIVATE KEY[ A-Z]{0,10}-----`;
export const KEY_END = KEY_START.replace('BEGIN', 'END');
/** What a logger or syslog writes before each line is shorter. */
const MAX_PREFIX = 200;
/** A key of more lines or bytes can be cut. */
const MAX_KEY_LINES = 400;
const MAX_KEY_BYTES = 16 * 1024;
const EOL = String.raw`[ \t]{0,9}(?=\r?(?:\n|$))`;

/**
 * Finds the end of a private key that starts in a line of text, without its last newline. A key that was cut ends before the
 * first line that can't be part of one. Each line has the prefix of the first, such as a time, in which digits can differ.
 */
export function keyFinder(text: string): (start: number, end: number) => number | undefined {
  let at = text.indexOf(MARK);
  return (start, end) => {
    if (at !== -1 && at < start) at = text.indexOf(MARK, start);
    if (at === -1 || at >= end || at - start > MAX_PREFIX) return undefined;
    const before = escapeRegex(text.slice(start, at).trimEnd()).replaceAll(/\d+/g, '\\d+');
    const next = `\\r?\\n${before}[ \\t]{0,9}`;
    const lines = [
      `${before}[ \\t]{0,9}${KEY_START}${EOL}`,
      `(?:${next}(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\\n]*|${EOL})){0,5}`,
      `(?:${next}[A-Za-z\\d+/=]{40,}${EOL}){0,${MAX_KEY_LINES}}`,
      `(?:(?:${next}[A-Za-z\\d+/=]+${EOL}){0,2}(?:${next}${KEY_END}[^\\n]*?${EOL}|(?=\\r?\\n?$)))?`,
    ];
    const key = new RegExp(lines.join(''), 'y');
    key.lastIndex = start;
    return key.test(text) ? key.lastIndex : undefined;
  };
}

/** Where the last private key in lines starts and ends. */
export function lastKey(lines: Uint8Array): { readonly start: number; readonly end: number } | undefined {
  const tail = lines.subarray(-MAX_KEY_BYTES);
  if (!utf8Text(tail).includes(MARK)) return undefined;
  // A character per byte.
  const text = new TextDecoder('latin1').decode(tail);
  const start = text.lastIndexOf('\n', text.lastIndexOf(MARK)) + 1;
  const end = keyFinder(text.slice(start))(0, text.length);
  const before = lines.length - tail.length + start;
  return end === undefined ? undefined : { start: before, end: before + end };
}
