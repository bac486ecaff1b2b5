import { readFileSync } from 'node:fs';

/** What people type, what they should write, and the rows that they want: of usual events, and of hostile ones. */
export type MistakeCase = readonly [
  typed: string,
  write: string | undefined,
  rows?: string,
  hostileRows?: string,
];

/** What a line starts with if docs/other-languages.md shows it. */
const IN_DOCS = 'doc: ';

/** What people type from other languages, by language. Without `write`, the message says what to do. */
export const MISTAKE_CASES = casesOf((line) =>
  line.startsWith(IN_DOCS) ? line.slice(IN_DOCS.length) : line,
);

/** The most common of them, which docs/other-languages.md shows. */
export const DOCUMENTED_MISTAKES = casesOf((line) =>
  line.startsWith(IN_DOCS) ? line.slice(IN_DOCS.length) : undefined,
);

/** The cases of the lines that `select` returns, by language. */
function casesOf(
  select: (line: string) => string | undefined,
): Readonly<Record<string, readonly MistakeCase[]>> {
  const languages = readFileSync(new URL('mistakes.txt', import.meta.url), 'utf8')
    .split(/^# /m)
    .slice(1);
  return Object.fromEntries(
    languages.map((part) => {
      const [language = '', ...lines] = part.trim().split('\n');
      return [language, lines.flatMap((line) => select(line) ?? []).map(caseOf)];
    }),
  );
}

/** `typed ⇒ write ⇒ rows ⇒ hostile rows` */
function caseOf(line: string): MistakeCase {
  const [typed = '', write, rows = '', hostileRows = ''] = line.replace(/ ⇒$/, ' ⇒ ').split(' ⇒ ');
  return write === undefined ? [typed, write] : [typed, write, rows, hostileRows];
}
