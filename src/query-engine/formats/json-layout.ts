import { limitedText } from '../text/text-limit.ts';
import { readJson } from './json-fields.ts';

/** As deep as lines are indented. */
const MAX_INDENTED_DEPTH = 200;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+|[[\]{},:]/gs;

/**
 * Lays out JSON in lines. Numbers and strings keep the text they are written in.
 *
 * @returns `undefined` for a text that is not JSON.
 * @throws TextLengthError
 */
export function indentJson(text: string, indentation: string): string | undefined {
  if (!readJson(text, () => {})) return undefined;
  let result = '';
  let depth = 0;
  let previous = '';
  const newLine = (): string => `\n${indentation.repeat(Math.min(depth, MAX_INDENTED_DEPTH))}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const isClosing = token === '}' || token === ']';
    const wasOpening = previous === '{' || previous === '[';
    if (isClosing) depth -= 1;
    // Nothing stands between the brackets of an empty object.
    if ((wasOpening && !isClosing) || (isClosing && !wasOpening) || previous === ',') result += newLine();
    if (token === '{' || token === '[') depth += 1;
    result = limitedText(result + (token === ':' ? ': ' : token));
    previous = token;
  }
  return result;
}
