const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** A name that can't be read as a number, a duration or a keyword. */
const PLAIN_NAME = /^[A-Za-z_@#][A-Za-z0-9_.@#]*(?:\[\d*\](?:\.?[A-Za-z0-9_.@#]+)?)*$/;
const KEYWORD = /^(?:true|false|and|or|not|case|match|like|in)$/i;

/** A string of the query language, which has no escapes for other characters, and needs none. */
export function quoteString(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (character) => ESCAPES[character] ?? `\\${character}`)}"`;
}

/** Whether a field name needs no quotes in a query. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name) && !KEYWORD.test(name);
}

/** A field name for use in a query, quoted if necessary. */
export function quoteField(name: string): string {
  return isPlainName(name) ? name : quoteString(name);
}
