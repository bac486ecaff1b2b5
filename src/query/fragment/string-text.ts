const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A text in double quotes. The language has no escape for other characters, and needs none. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (character) => ESCAPES[character]!)}"`;
}
