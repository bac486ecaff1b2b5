import { limitedText } from '../text/text-limit.ts';
import { readJson } from './json-fields.ts';

const MAX_INDENTED_DEPTH = 200;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"[\]{},:]+|[[\]{},:]/gs;

/**
 * Pretty-prints JSON. Numbers and strings keep their text.
 *
 * @returns `undefined` if the text is not JSON.
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
    // Empty objects and arrays stay on one line.
    if ((wasOpening && !isClosing) || (isClosing && !wasOpening) || previous === ',') result += newLine();
    if (token === '{' || token === '[') depth += 1;
    result = limitedText(result + (token === ':' ? ': ' : token));
    previous = token;
  }
  return result;
}
