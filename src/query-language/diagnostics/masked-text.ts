const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/**
 * A query of the same length with the contents of strings and comments replaced by spaces, for searching words and
 * operators. Quotes stay. `https://` in a word is not a comment.
 */
export function maskText(source: string): string {
  return source.replace(STRING_OR_COMMENT, (text, offset: number) => {
    if (text.startsWith('//') && source[offset - 1] === ':') return text;
    if (!text.startsWith('"')) return blank(text);
    const isClosed = text.length > 1 && text.endsWith('"');
    return isClosed ? `"${blank(text.slice(1, -1))}"` : `"${blank(text.slice(1))}`;
  });
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}
