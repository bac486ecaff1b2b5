import type { Segment } from './embedded-query.ts';

/**
 * The lines of a part of a file, each without the first `indent` characters, and where they are.
 *
 * @param end after the last line, without its newline
 */
export function linesWithout(file: string, start: number, end: number, indent: number) {
  const segments: Segment[] = [];
  const texts: string[] = [];
  let at = 0;
  for (let lineStart = start; lineStart <= end; ) {
    const newline = file.indexOf('\n', lineStart);
    const next = newline === -1 || newline >= end ? end + 1 : newline + 1;
    const isLast = next > end;
    const lineEnd = next - 1 - (!isLast && file[next - 2] === '\r' && next - 2 >= lineStart ? 1 : 0);
    const offset = Math.min(lineStart + indent, lineEnd);
    const text = file.slice(offset, lineEnd);
    segments.push({ at, offset });
    texts.push(text);
    at += text.length + 1;
    lineStart = next;
  }
  return { text: texts.join('\n'), segments };
}

/** Writes a part of a query into lines that start with a prefix. Blank lines have none. */
export function withPrefix(part: string, next: string, prefix: string, newline: string): string {
  return part.replace(/\n/g, (_, index: number) => {
    const following = part[index + 1] ?? next;
    return following === '\n' || following === '' ? newline : newline + prefix;
  });
}
