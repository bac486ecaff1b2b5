import { readFileSync } from 'node:fs';

/** What people type, what they should write, and the rows that they want. */
export type MistakeCase = readonly [typed: string, write: string | undefined, rows?: string];

/**
 * What people type from other languages, by language. docs/other-languages.md shows this table. Without `write`, the
 * message says what to do.
 */
export const MISTAKE_CASES: Readonly<Record<string, readonly MistakeCase[]>> = Object.fromEntries(
  readFileSync(new URL('mistakes.txt', import.meta.url), 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [language = '', ...lines] = part.trim().split('\n');
      return [language, lines.map(caseOf)];
    }),
);

/** `typed ⇒ write ⇒ rows` */
function caseOf(line: string): MistakeCase {
  const [typed = '', write, rows = ''] = line.replace(/ ⇒$/, ' ⇒ ').split(' ⇒ ');
  return write === undefined ? [typed, write] : [typed, write, rows];
}
