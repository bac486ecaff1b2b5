import { readFile } from 'node:fs/promises';
import { withoutTextMark } from '../../../core/bytes.ts';

/**
 * The events in a file, a line each: NDJSON, JSON objects and arrays of them, such as exported Windows events, or lines of
 * text. Numbers keep their digits.
 */
export async function readEventFile(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path);
  // PowerShell writes UTF-16.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8';
  const text = withoutTextMark(bytes.toString(encoding)).replace(/^Record \d+\r?$/gm, '');
  if (/^\s*(?:\{|\[\s*[{\]])/.test(text)) return jsonObjects(text);
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** The outermost objects of JSON text, each on one line. */
function jsonObjects(text: string): readonly string[] {
  const objects: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: mark, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/gs)) {
    if (mark === '{' && depth === 0) start = index;
    if (mark === '{') depth += 1;
    if (mark === '}') depth -= 1;
    if (mark === '}' && depth === 0) objects.push(text.slice(start, index + 1).replace(/[\r\n]+\s*/g, ' '));
  }
  return objects;
}
