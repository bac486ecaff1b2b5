import { readFileSync } from 'node:fs';

/** A command line that needs no shell. */
export interface PlainLine {
  /** The words after the name of the command. */
  readonly words: readonly string[];
  readonly stdin?: string;
}

const WORD = /'[^']*'|[\w./:=@#-]+/.source;
const PLAIN = new RegExp(`^(?:(cat|echo) (${WORD}) \\| )?(?:npx )?(?:logclient|lc)((?: (?:${WORD}))*)$`);

/**
 * Reads a line that consists of words and single quotes, possibly after `cat <file> |` or `echo <text> |`.
 *
 * @returns undefined if a shell must read the line.
 */
export function plainLine(line: string): PlainLine | undefined {
  const [all, source, given = '', rest = ''] = PLAIN.exec(line) ?? [];
  if (all === undefined) return undefined;
  const words = wordsOf(rest);
  if (source === undefined) return { words };
  const [text = ''] = wordsOf(given);
  return { words, stdin: source === 'cat' ? readFileSync(text, 'utf8') : `${text}\n` };
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
}
