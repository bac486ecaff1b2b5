import { isFunctionName } from './function-names.ts';

const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'case', 'match', 'like', 'in']);

/** Whether the word needs quotes as free text: keywords and function names, ignoring case. */
export function isReservedWord(word: string): boolean {
  return KEYWORDS.has(word.toLowerCase()) || isFunctionName(word);
}
