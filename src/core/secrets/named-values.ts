// cspell:words tring bfnrtv
import type { NameOf, SecretName } from './secret.ts';
import { ESCAPED } from './secret-table.ts';

/** A value in text that follows its name, as in `password=…`, `"token": "…"` and `Authorization: Bearer …`. */
export interface NamedValue extends Range {
  readonly secret: SecretName;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Letters, digits, `_` and `$`. Those of other scripts are ranges, which compile faster than their properties. */
const LETTERS = '\\w$\\u00c0-\\u1fff\\u2c00-\\u2fff\\u3040-\\ud7ff\\uf900-\\ufaff';
/** In URLs: a letter, a digit, a space or a separator of names. */
const ENCODED = '%(?:[46][1-9A-Fa-f]|[57][0-9Aa]|3\\d|2[0DdEe]|5[Ff])';
/** Colors of a terminal and escaped quotes. */
const MARKS =
  '(?:(?:(?:[\\x1b\\x9b]|\\\\{1,4}(?:x1[bB]|u001[bB]|033|e))\\[[\\d;]{0,20}[mK]|\\\\{1,4}(?:u0022|x22))\\s*){0,4}';
/** A name, with or without quotes, and what separates it from its value. */
const NAME = new RegExp(
  `(?:(["'\`])((?:[^"'\`\\\\\\r\\n]|\\\\{1,8}u[\\da-fA-F]{4}){1,100})\\\\*\\1|(?:(?<![${LETTERS}%])|${ESCAPED})((?:[A-Za-z]{2,12} (?=(?:[Kk]ey|KEY|[Cc]ode|CODE|[Ss]tring)\\b))?(?:[${LETTERS}]|${ENCODED})(?:[${LETTERS}.-]|${ENCODED}){0,99}(?:\\[[^\\][\\s"']{0,50}\\])*))\\s*${MARKS}(?:=>|:(?!\\/\\/)|=(?!=)|(?:%2[27])?%3[AaDd](?:%2[027])*)[^\\S\\r\\n]*${MARKS}`,
  'g',
);
/** A name of a command's flag, or of an element of XML, before its value. */
const OTHER_NAME =
  /--([A-Za-z][\w-]{1,60})[ \t]+(?=[^\s-])|<([A-Za-z][\w.:-]{1,60})(?:\s[^<>]{0,200})?>(?=[^<>]+<\/)/g;
/** The name in a pair such as `{ name: 'Authorization', value: '…' }`. */
const PAIR_NAME = /\\*["'`]((?:[^"'`\\\r\n]|\\+u[\da-fA-F]{4}){1,100})\\*["'`]/y;
/** What is between the members of a pair: no other object starts or ends there. */
const IN_ONE_OBJECT = /^[^{}]*$/;
const BACKSLASHES = /\\+/y;
/** A quote, which may be escaped any number of times. */
const QUOTE = /\\*["'`]/y;
const NO_NAME_NEXT = `(?![${LETTERS}.-]{1,60}\\s?[=:])`;
/** Passwords contain punctuation; what separates values is followed by a space, an end or another name. */
const BARE = new RegExp(
  `[^\\s,;&"'\`<>()[\\]{}|\\\\\\x1b](?:[^\\s,;&"'\`<>()[\\]{}|\\\\\\x1b]|[,;(<](?=[^\\s"'\`)\\]}>,;])${NO_NAME_NEXT}|'(?=[${LETTERS}])|\\\\(?!x1b|033|[bfnrtu"'\`\\\\\\s]|$))*`,
  'y',
);
/** Several of them, up to the next name. */
const BARE_WORDS = new RegExp(`${BARE.source}(?:[ \\t]+${NO_NAME_NEXT}${BARE.source})*`, 'y');
/** A value in an encoded URL or encoded JSON, up to an encoded `&`, quote, comma, bracket, space or newline. */
const ENCODED_VALUE = /(?:[\w.~+/*$!-]|%(?!2[0267Cc]|7[Dd]|0[ADad]|3[Bb])[\da-fA-F]{2})*/y;
/** A value of an authorization header, with the parameters of its scheme. */
const CREDENTIALS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a color ends a value.
  /(?:Basic|Bearer|Digest|Negotiate|NTLM|Splunk|Token|ApiKey|AWS4-HMAC-SHA256)\s+[^\s"'`<>{}|\\\x1b]+(?:,\s*\w+="?[^\s"'`]+"?)*/iy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a color ends a value.
const COOKIES = /[^\s;"'`\\\x1b]*[^\s;"'`\\,)\]}\x1b](?:;\s*[^\s;"'`\\\x1b]*[^\s;"'`\\,)\]}\x1b])*/y;
/** Of inspected objects and other loggers: `[Object]`, `[REDACTED]`. */
const MARK = /\[[A-Za-z]+(?: [^\][]{0,60})?\]/y;
/** What loggers and other programs write instead of a secret, such as `[Redacted]` of pino. */
const CENSORED = '(?:Bearer )?(?:\\[(?:redacted|filtered|masked|hidden)\\]|<redacted>|redacted|[*x•]{3,})';
/** Such a value, in quotes if it starts behind one. */
const CENSORED_VALUE = new RegExp(
  `(?<=["'\`])${CENSORED}(?=\\\\*["'\`])|(?<!["'\`])${CENSORED}(?![^\\s,;)&"'\`\\]}\\\\])`,
  'iy',
);
/** Such a value in JSON, or an array of them. */
export const CENSORED_JSON: RegExp = new RegExp(
  `^(?:"${CENSORED}"|\\["${CENSORED}"(?:, ?"${CENSORED}")*\\])$`,
  'i',
);
/** Words of sentences such as "token: expired", literals, and values of `fetch`. */
const NO_VALUE = new RegExp(
  `^(?:true|false|null|undefined|none|nil|nan|yes|no|unset|empty|missing|invalid|valid|expired|required|denied|failed|incorrect|wrong|ok|unknown|include|omit|same-origin|\\*+|${CENSORED}|\\.+|…|-+)[.,!?]?$`,
  'i',
);
/** Words behind a flag in a sentence: "--token is required". */
const NO_ARGUMENT =
  /^(?:is|was|are|must|can|cannot|may|should|will|and|or|not|to|in|for|from|with|if|has|needs?|requires?|instead|flags?|options?|arguments?|string)$/i;
/** Parameters of SQL and formats, variables, and names of secrets in AWS, with what ends them. */
const PLACEHOLDER =
  /(?:\$\d{1,3}|\$[A-Z_][A-Z\d_]*|\$\{[\w.]{1,60}\}|\$?\{\{[^{}]{1,80}\}\}|%[sdv]|%\(\w{1,40}\)s|:[a-z_]\w{0,40}|@[Pp]\d{1,3}|\?\d{0,3}|arn:aws[\w:/.*-]+)(?![^\s,;)&"'`\]}\\])/y;
/** A working directory. */
const PATH = /(?:\\?\/|[A-Za-z]:[\\/])/y;
/** Members that say of an object in Kubernetes that it refers to a secret, and the others of such an object. */
const REFERENCE = ['secretName', 'defaultMode', 'optional', 'expirationSeconds'];
const REFERENCE_MEMBERS = [...REFERENCE, 'audience', 'path', 'name', 'namespace', 'key', 'mode', 'items'];

/** The rest of a header's line, to a quote that encloses it. A value may have parameters in quotes, and continue after CRLF and a space. */
const HEADER_VALUE =
  /(?:(?<=[=:]\s?)(\\{0,8}["'`])(?:(?!\1)[^\r\n]){0,4096}\1|[^\r\n"'`\\]|\\(?!\\{0,8}["'`rn])|\r\n[ \t]+(?=\S))*/y;
/** What is before a name at the start of a line, also in the output of `curl -v`; a group for CRLF. */
const LINE_START = /(?:^|(\r\n|\\r\\+n)|[\r\n]|\\[rn])[ \t]*(?:[<>*] ?)?$/;
const LINE_END = /[\r\n]|\\[rn]|$/g;
/** At the end of a line: CRLF, or another header. */
const NEXT_HEADER = /(\r|\\r)|(?:\n|\\n)(?:[<>*] ?)?[\w-]+: /y;
/** What is before a name in an object without quotes, such as `{cookie: a=b, host: c}`. */
const IN_OBJECT = /[{[(,]\s?$/;
/** The end of an escape or a color before a name looks like a part of it. */
const ESCAPE_END = /(?<=\\)(?:[bfnrtv]|u[\da-fA-F]{4}|x[\da-fA-F]{2})|(?<=\[[\d;]{0,20})\d{0,3}[mK]/y;
/** What stands before words that are no names. */
const NO_NAME = /\bunexpected\s+$|\barn:aws[\w:/.*-]{0,100}$/i;

/** How far before a name its line is checked. */
const MAX_INDENT = 12;
const MAX_NO_VALUE = 20;

/** A member `name`, `key` or `value` of a pair. */
interface PairMember {
  readonly isValue: boolean;
  readonly start: number;
  /** Index of its value. */
  readonly at: number;
}

/** Finds the values of secret names, also empty ones. In text, the value of a header is the rest of its line. */
export function namedValues(text: string, nameOf: NameOf): NamedValue[] {
  const values: NamedValue[] = [];
  const lines = new HeaderLines();
  let headerEnd = 0;
  let unpaired: PairMember | undefined;
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const at = NAME.lastIndex;
    const [separated, , quoted, bare = ''] = match;
    const { length } = matchAt(ESCAPE_END, text, match.index);
    const spelled = bare.slice(length > 0 && nameOf(unescaped(bare)) === undefined ? length : 0);
    const name = unescaped(quoted ?? spelled);
    if (/(?:^|\.)(?:name|key|value)$/i.test(name)) {
      const member = { isValue: /value$/i.test(name), start: match.index, at };
      const pair = pairIn(text, unpaired, member, nameOf);
      // A secret name may belong to the value behind it, too.
      unpaired = pair === undefined || (pair.secret && !member.isValue) ? member : undefined;
      if (pair?.secret !== undefined) values.push({ ...pair, secret: pair.secret });
      // A value without quotes may end in another name.
      if (/[\\"'`{[]/.test(text[at] ?? '')) NAME.lastIndex = Math.max(pair?.end ?? at, at);
    }
    const secret = nameOf(name);
    const nameStart = match.index + bare.length - spelled.length;
    if (quoted === undefined && secret && NO_NAME.test(text.slice(Math.max(0, nameStart - 120), nameStart)))
      continue;
    if (secret === undefined) continue; // The value may be a name itself, as in `error: password: …`.
    // Of keys of the caller, each word is secret; not in the query of a URL, where none has a space.
    const hasWords = secret.kind === undefined && !'?&'.includes(text[match.index - 1] ?? ' ');
    const valueRange = (): Range => valueAt(text, at, name, separated, hasWords);
    const isNamed = secret.kind === 'authorization';
    const mayBeHeader = quoted === undefined && at >= headerEnd;
    if (mayBeHeader && lines.isHeader(text, nameStart, at, isNamed, valueRange)) {
      headerEnd = at + matchAt(HEADER_VALUE, text, at).length;
      values.push({ secret, start: at, end: headerEnd }); // Other values may start in it, and end after it.
    } else {
      const value = valueRange();
      values.push({ secret, ...value });
      NAME.lastIndex = Math.max(value.end, at);
    }
  }
  return /--|<\//.test(text) ? [...values, ...otherValues(text, nameOf)] : values;
}

/** Values of the flags of commands, and of elements of XML. */
function* otherValues(text: string, nameOf: NameOf): Iterable<NamedValue> {
  for (const { index, 0: whole, 1: flag, 2: element = '' } of text.matchAll(OTHER_NAME)) {
    const secret = nameOf(flag ?? element.replace(/^.*:/, ''));
    if (secret === undefined) continue;
    const at = index + whole.length;
    const { start, end } =
      flag === undefined ? { start: at, end: text.indexOf('<', at) } : valueAt(text, at, flag, '');
    if (!NO_ARGUMENT.test(text.slice(start, end))) yield { secret, start, end };
  }
}

/** The value of a pair such as `{ name: 'Authorization', value: '…' }`, in any order. */
function pairIn(
  text: string,
  first: PairMember | undefined,
  second: PairMember,
  nameOf: NameOf,
): (Range & Partial<NamedValue>) | undefined {
  if (first?.isValue !== !second.isValue) return undefined;
  const before = first.isValue ? valueAt(text.slice(0, second.start), first.at, '', '') : undefined;
  if (!IN_ONE_OBJECT.test(text.slice(before?.end ?? first.at, second.start))) return undefined;
  PAIR_NAME.lastIndex = first.isValue ? second.at : first.at;
  const name = unescaped(PAIR_NAME.exec(text)?.[1] ?? '');
  const secret = nameOf(name);
  const { at } = second;
  const after = secret === undefined ? { start: at, end: at } : valueAt(text, at, name, '');
  return { secret, ...(before ?? after) };
}

/** Tells the headers of HTTP in text from names in sentences and objects. */
class HeaderLines {
  #end = -1;

  /** @param valueRange the value if it is not that of a header; empty in a sentence. It may extend over many lines. */
  isHeader(text: string, nameStart: number, at: number, isNamed: boolean, valueRange: () => Range): boolean {
    const name = text.slice(nameStart, at);
    if (!/:\s*$/.test(name)) return false;
    if (this.#end < at) {
      LINE_END.lastIndex = at;
      this.#end = LINE_END.exec(text)!.index;
    }
    const before = text.slice(Math.max(0, nameStart - MAX_INDENT), nameStart);
    const start = LINE_START.exec(before);
    NEXT_HEADER.lastIndex = this.#end;
    const next = start && NEXT_HEADER.exec(text);
    const shown = text.slice(at, Math.min(this.#end, at + MAX_NO_VALUE));
    if (start?.[1] !== undefined || next?.[1] !== undefined) return !NO_VALUE.test(shown);
    if (!isNamed || /^["'`{[]/.test(shown) || NO_VALUE.test(shown.split(/[\s,;)\]}]/, 1)[0]!)) return false;
    if (next || (start && name.includes('-'))) return true;
    return valueRange().end > at && !IN_OBJECT.test(before);
  }
}

/** A name without the escapes of JSON and URLs. */
function unescaped(name: string): string {
  return name.replaceAll(/(?:\\{1,8}u([\da-f]{4})|%([\da-f]{2}))/gi, (_, unicode?: string, byte?: string) =>
    String.fromCharCode(Number.parseInt(unicode ?? byte!, 16)),
  );
}

function valueAt(text: string, at: number, name: string, start: string, hasWords = false): Range {
  const quote = matchAt(QUOTE, text, at);
  if (isNoSecret(name, text, at + quote.length)) return { start: at, end: at };
  if (quote !== '') return { start: at + quote.length, end: quotedEnd(text, at, quote) };
  if (matchAt(MARK, text, at) !== '') return { start: at, end: at };
  if ('{['.includes(text[at] ?? ' ')) {
    const end = bracketEnd(text, at);
    return { start: at, end: isReference(text.slice(at, end)) ? at : end };
  }
  if (/%3[AD]/i.test(start)) return { start: at, end: at + matchAt(ENCODED_VALUE, text, at).length };
  const header = matchAt(/cookie/i.test(name) ? COOKIES : CREDENTIALS, text, at);
  if (header !== '' && !NO_VALUE.test(header)) return { start: at, end: at + header.length };
  const value = matchAt(hasWords ? BARE_WORDS : BARE, text, at);
  const end = at + value.length;
  const isSentence =
    !hasWords &&
    /:[^\S\r\n]+$/.test(start) &&
    /^[a-z]+$/i.test(value) &&
    /^ [a-z]+\b(?![=:])/i.test(text.slice(end, end + 40));
  return { start: at, end: isSentence || NO_VALUE.test(value) ? at : end };
}

/** Whether what follows a secret name is a placeholder, censored, or the directory in `PWD`. @param at index behind a quote. */
export function isNoSecret(name: string, text: string, at: number): boolean {
  if (matchAt(PLACEHOLDER, text, at) !== '' || matchAt(CENSORED_VALUE, text, at) !== '') return true;
  return /^(?:old)?pwd$/i.test(name) && matchAt(PATH, text, at) !== '';
}

/** Whether an object, as JSON or inspected, only refers to a secret. */
export function isReference(object: string): boolean {
  if (!object.startsWith('{')) return false;
  const names = Array.from(object.matchAll(/(?<![\w-])([\w-]+)\\*["'`]?\s*:/g), ([, name = '']) => name);
  return (
    names.some((name) => REFERENCE.includes(name)) && names.every((name) => REFERENCE_MEMBERS.includes(name))
  );
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
