const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** A field name that can't be read as a number, a duration or a keyword, so that it needs no quotes. */
export const PLAIN_NAME =
  /^(?!(?:true|false|and|or|not|case|match|like|in)$)[a-z_@#][\w.@#]*(?:\[\d*\](?:\.?[\w.@#]+)?)*$/i;

/** What is no step of a query: white space, pipes and comments. */
const BETWEEN_STEPS = /[\s\u0085|]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;

/** Whether a query has a step. One without finds all events. */
export function hasStep(query: string): boolean {
  return query.replace(BETWEEN_STEPS, '') !== '';
}

/** A string of the query language, which has no escapes for other characters, and needs none. */
export function quoteString(text: string): string {
  return `"${text.replace(/["\\\n\r\t]/g, (character) => ESCAPES[character] ?? `\\${character}`)}"`;
}

/** A field name for use in a query, quoted if necessary. */
export function quoteField(name: string): string {
  return PLAIN_NAME.test(name) ? name : quoteString(name);
}
