const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Quotes a string. The language has no escapes for other characters, and needs none. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (character) => ESCAPES[character]!)}"`;
}
