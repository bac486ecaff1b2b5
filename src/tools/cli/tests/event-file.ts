import { readFile } from 'node:fs/promises';
import { utf8Bytes, utf8Text, withoutTextMark } from '../../../core/bytes.ts';
import { structuredLines } from '../../../core/records/structured-lines.ts';

/** The events in a file, a line each, as all commands read it: also JSON over several lines, such as exported Windows events. */
export async function readEventFile(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path);
  // PowerShell writes UTF-16.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8';
  const text = withoutTextMark(bytes.toString(encoding)).replace(/^Record \d+\r?$/gm, '');
  const lines: string[] = [];
  for await (const chunk of structuredLines([utf8Bytes(text)])) lines.push(utf8Text(chunk));
  return lines
    .join('')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
}
