import * as ascii from '../../src/core/ascii.ts';
import { isClosing, isOpening, stringEnd, valueEnd } from '../../src/core/json-text.ts';

/** Deeper values are cut: the service rejects them. */
export const MAX_DEPTH = 24;

const MAYBE_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Matches every escape, so that an escaped backslash starts no other escape. A surrogate pair is one match. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/g;

/** Replaces too deeply nested values in JSON with `[Cut]`, and lone surrogates with U+FFFD. */
export function cleanJson(text: string): string {
  const cut = cutDeep(text);
  if (!MAYBE_SURROGATE.test(cut)) return cut;
  return cut.replace(ESCAPE, (whole, lone: string | undefined) => (lone === undefined ? whole : '\\ufffd'));
}

function cutDeep(text: string): string {
  let result = '';
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === ascii.QUOTE) at = stringEnd(text, at) - 1;
    else if (isClosing(code)) depth--;
    else if (isOpening(code) && depth++ === MAX_DEPTH) {
      const end = valueEnd(text, at);
      result += `${text.slice(from, at)}"[Cut]"`;
      depth--;
      from = end;
      at = end - 1;
    }
  }
  return from === 0 ? text : result + text.slice(from);
}
