import * as ascii from '../../core/ascii.ts';
import { isClosing, isOpening, stringEnd, valueEnd } from '../../core/json-text.ts';

/** Deeper values become text. The service would flatten them into unreadable field names, or reject them. */
export const MAX_DEPTH = 24;

/** Levels in such text. Still deeper values are cut. */
export const MAX_TEXT_DEPTH = 100;

/** Replaces each value in JSON that is nested too deeply with its JSON as a string. */
export function deepAsText(json: string): string {
  return replaceDeep(json, MAX_DEPTH, (deep) =>
    JSON.stringify(replaceDeep(deep, MAX_TEXT_DEPTH, () => '"[Cut]"')),
  );
}

function replaceDeep(text: string, maxDepth: number, replace: (value: string) => string): string {
  let result = '';
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === ascii.QUOTE) at = stringEnd(text, at) - 1;
    else if (isClosing(code)) depth--;
    else if (isOpening(code) && depth++ === maxDepth) {
      const end = valueEnd(text, at);
      result += text.slice(from, at) + replace(text.slice(at, end));
      depth--;
      from = end;
      at = end - 1;
    }
  }
  return from === 0 ? text : result + text.slice(from);
}
