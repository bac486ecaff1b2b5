/**
 * The texts of JSON objects that stand one after another, with or without whitespace between them.
 *
 * Only the brackets are looked at: whether each piece is JSON is for a parser to say.
 *
 * @throws SyntaxError when something stands between the objects, or the last one is not finished.
 */
export function* splitJsonObjects(text: string): Generator<string> {
  let start = -1;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (depth === 0) {
      if (/\s/.test(character)) continue;
      if (character !== '{') throw new SyntaxError(`Expected "{" at position ${index}`);
      start = index;
      depth = 1;
    } else if (character === '"') {
      index = endOfString(text, index);
    } else if (character === '{') {
      depth++;
    } else if (character === '}' && --depth === 0) {
      yield text.slice(start, index + 1);
    }
  }
  if (depth > 0) throw new SyntaxError('The last object is incomplete');
}

/** The index of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
