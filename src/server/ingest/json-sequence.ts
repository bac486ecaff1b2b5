import { stringEnd } from '../../core/json-text.ts';

const SIGN = /["{}]/g;

/**
 * Splits concatenated JSON objects, with or without whitespace between them.
 *
 * Only matches brackets; parse each text to validate it.
 *
 * @throws SyntaxError if there is anything else between the objects, or the last one is incomplete
 */
export function* splitJsonObjects(text: string): Generator<string> {
  for (let start = skipSpace(text, 0); start < text.length; ) {
    if (text[start] !== '{') throw new SyntaxError(`Expected "{" at position ${start}`);
    const end = endOfObject(text, start);
    if (end === undefined) throw new SyntaxError('The last object is incomplete');
    yield text.slice(start, end);
    start = skipSpace(text, end);
  }
}

/** The end of the object that starts at a position; `undefined` if it is incomplete. */
export function endOfObject(text: string, start: number): number | undefined {
  SIGN.lastIndex = start;
  for (let depth = 0; ; ) {
    if (!SIGN.test(text)) return undefined;
    const sign = text[SIGN.lastIndex - 1];
    if (sign === '{') depth++;
    else if (sign === '}') depth--;
    else SIGN.lastIndex = stringEnd(text, SIGN.lastIndex - 1);
    if (depth <= 0) return SIGN.lastIndex;
  }
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
