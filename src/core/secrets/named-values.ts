/** A value in text that follows its name, as in `password=…`, `"token": "…"` and `Authorization: Bearer …`. */
export interface NamedValue {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A name, with or without quotes, and what separates it from its value. */
const NAME =
  /(?:(["'`])((?:[^"'`\\\r\n]|\\{1,8}u[\da-f]{4}){1,100})\\*\1|(?<![\p{L}\d_$%])((?:[\p{L}\d_$]|%[\da-f]{2})(?:[\p{L}\d_$.-]|%[\da-f]{2}){0,99}(?:\[[^\]\s"']{0,50}\])*))\s*(?:=>|:(?!\/\/)|=(?!=))[^\S\r\n]*/giu;
/** A pair such as `name: 'Authorization', value: '…'`. */
const PAIR =
  /\b(?:name|key)\\*["'`]?\s{0,20}:\s{0,20}\\*["'`]([^"'`\\\r\n]{1,100})\\*["'`]\s{0,20},\s{0,20}\\*["'`]?value\\*["'`]?\s{0,20}:\s{0,20}(?=\\*["'`])/gi;
const BACKSLASHES = /\\+/y;
/** A quote, which may be escaped any number of times. */
const QUOTE = /\\*["'`]/y;
/** Passwords contain punctuation; what separates values is followed by a space, an end or another name. */
const BARE =
  /[^\s,;&"'`<>()[\]{}|\\](?:[^\s,;&"'`<>()[\]{}|\\]|[,;(<](?=[^\s"'`)\]}>,;])(?![\p{L}\d_$.-]{1,60}\s?[=:])|'(?=[\p{L}\d])|\\(?![bfnrtu"'`\\\s]|$))*/uy;
/** A value of an authorization header, with the parameters of its scheme. */
const CREDENTIALS =
  /(?:Basic|Bearer|Digest|Negotiate|NTLM|Splunk|Token|ApiKey|AWS4-HMAC-SHA256)\s+[^\s"'`<>{}|\\]+(?:,\s*\w+="?[^\s"'`]+"?)*/iy;
const COOKIES = /[^\s;"'`\\]+(?:;\s*[^\s;"'`\\]+)*/y;
/** Of inspected objects and other loggers: `[Object]`, `[REDACTED]`. */
const MARK = /\[[A-Za-z]+(?: [^\][]{0,60})?\]/y;
/** Words of sentences such as "token: expired", and literals. */
const NO_VALUE =
  /^(?:true|false|null|undefined|none|nil|nan|yes|no|unset|empty|missing|invalid|valid|expired|required|denied|failed|incorrect|wrong|ok|unknown|\*+|x{3,}|\.+|…|-+)[.!?]?$/i;

/** Finds the values of the names that `isSecret` accepts. */
export function namedValues(text: string, isSecret: (name: string) => boolean): NamedValue[] {
  const values: NamedValue[] = [];
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const name = unescaped(match[2] ?? match[3]!);
    if (!isSecret(name)) continue; // The value may be a name itself, as in `error: password: …`.
    const { start, end } = valueAt(text, NAME.lastIndex, name, match[0]);
    if (end > start) values.push({ name, start, end });
    NAME.lastIndex = Math.max(end, NAME.lastIndex);
  }
  for (const match of text.matchAll(PAIR)) {
    const name = match[1]!;
    if (!isSecret(name)) continue;
    const { start, end } = valueAt(text, match.index + match[0].length, name, match[0]);
    if (end > start) values.push({ name, start, end });
  }
  return values;
}

/** A name without the escapes of JSON and URLs. */
function unescaped(name: string): string {
  return name.replaceAll(/(?:\\+u([\da-f]{4})|%([\da-f]{2}))/gi, (_, unicode?: string, byte?: string) =>
    String.fromCharCode(Number.parseInt(unicode ?? byte!, 16)),
  );
}

function valueAt(text: string, at: number, name: string, start: string): { start: number; end: number } {
  const quote = matchAt(QUOTE, text, at);
  if (quote !== '') return { start: at + quote.length, end: quotedEnd(text, at, quote) };
  const first = text[at];
  if (first === '{' || (first === '[' && matchAt(MARK, text, at) === '')) {
    return { start: at, end: bracketEnd(text, at) };
  }
  const header = matchAt(/cookie/i.test(name) ? COOKIES : CREDENTIALS, text, at);
  if (header !== '') return { start: at, end: at + header.length };
  const value = matchAt(BARE, text, at);
  const end = at + value.length;
  const isSentence =
    /:[^\S\r\n]+$/.test(start) &&
    /^[a-z]+$/i.test(value) &&
    /^ [a-z]+\b(?![=:])/i.test(text.slice(end, end + 40));
  return { start: at, end: isSentence || NO_VALUE.test(value) ? at : end };
}

/** The index of the closing quote, which has as many backslashes as the opening one; more belong to the value. */
function quotedEnd(text: string, start: number, quote: string): number {
  const escapes = quote.length - 1;
  const character = quote.at(-1)!;
  let at = text.indexOf(character, start + quote.length);
  for (; at !== -1; at = text.indexOf(character, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes++;
    const extra = backslashes - escapes;
    if (extra < 0 || extra % (2 * (escapes + 1)) !== 0) continue;
    const end = at - escapes;
    // `util.inspect` splits long strings: 'one' + 'two'.
    const next = /^\s*\+\s*(["'`])/.exec(text.slice(at + 1, at + 200));
    if (next === null || next[1] !== character) return end;
    at += next[0].length;
  }
  return text.length;
}

/** The index after the closing bracket, or the end of the text. */
function bracketEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const quote = matchAt(QUOTE, text, at);
    if (quote !== '') at = quotedEnd(text, at, quote) + quote.length - 1;
    else if (text[at] === '\\') at += matchAt(BACKSLASHES, text, at).length - 1;
    else if (text[at] === '{' || text[at] === '[') depth++;
    else if ((text[at] === '}' || text[at] === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function matchAt(regex: RegExp, text: string, at: number): string {
  regex.lastIndex = at;
  return regex.exec(text)?.[0] ?? '';
}
