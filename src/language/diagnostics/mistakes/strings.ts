import { escapeRegex } from '../../../core/escape-regex.ts';
import { quoteString } from '../../../core/query-text.ts';
import { isNumberText } from '../../character-classes.ts';
import { regexLiteral } from '../../printer.ts';

// Strings of other languages, which are in single or double quotes, in back quotes, or in C#'s verbatim form @"…".

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** A string in quotes, as a pattern on a query whose strings are blank. */
export const TEXT = '@?"[^"]*"|@?\'[^\']*\'';

/** What a string means. A backslash in single quotes escapes only if another one follows anywhere. */
export function contentOf(text: string): string {
  if (/^[@`]/.test(text)) return text.slice(text.indexOf(text.at(-1)!) + 1, -1);
  if (!/^(["']).*\1$/s.test(text)) return text.replaceAll('\\\\', '\\');
  const inner = text.slice(1, -1);
  if (text.startsWith("'") && !/\\[\\'"]/.test(inner)) return inner.replaceAll("''", "'");
  return inner.replace(/\\(.)/gs, (whole, character) =>
    /[\\"']/.test(character) ? character : (ESCAPES[character] ?? whole),
  );
}

/** A string of this language; one that is already in double quotes stays as it is. */
export function quoted(text: string): string {
  return text.startsWith('"') ? text : quoteString(contentOf(text));
}

/** How a string is compared, in words of KQL. With `has`, it is a whole term of letters and digits, or its start or end. */
export type Comparing =
  | 'equals'
  | 'contains'
  | 'includes'
  | `${'starts' | 'ends'}with`
  | `has${'' | 'prefix' | 'suffix'}`;

/** The right side of `field=`: a string with `*`, or a regular expression where case or a star matters. */
export function comparand(text: string, how: Comparing, ignoresCase = false): string {
  const content = contentOf(text);
  const flags = ignoresCase ? 'i' : '';
  if (how.startsWith('has')) return regexLiteral(asTerm(content, how, ignoresCase), flags);
  const isPlain = !content.includes('*') && (!ignoresCase || !/\p{L}/u.test(content));
  if (isPlain && how === 'equals') return quoted(text);
  if (isPlain)
    return quoteString(`${how === 'startswith' ? '' : '*'}${content}${how === 'endswith' ? '' : '*'}`);
  const before = how === 'equals' || how === 'startswith' ? '' : '.*';
  const after = how === 'equals' || how === 'endswith' ? '' : '.*';
  return wholeValue(`${before}${escapeRegex(content)}${after}`, flags);
}

/** A string to search for, in which `*` is a character. */
export function freeText(text: string): string {
  const content = contentOf(text);
  return content.includes('*') ? regexLiteral(escapeRegex(content)) : quoted(text);
}

/** A pattern of `grep` as a string or a regular expression; empty with escapes, which mean something else there. */
export function grepped(text: string, flags = ''): string {
  const content = contentOf(text);
  if (content.includes('\\')) return '';
  if (flags === '' && !/[.*^$[]/.test(content)) return /^["']/.test(text) ? quoted(text) : text;
  return regexLiteral(content.replace(/[+?|(){}]/g, '\\$&'), flags);
}

/** A value in quotes, in which `*` is a character, or a word, in which it is any text, `?` any character, and `\\` escapes. */
export function exactly(value: string): string {
  if (/^@?["']/.test(value)) return comparand(value, 'equals');
  const marks: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };
  // An escaped star is a character.
  if (/\\\*|\?/.test(value))
    return wholeValue(value.replace(/\\?(.)/gs, (part, one) => marks[part] ?? escapeRegex(one)));
  return /[\\$\s]/.test(value) ? quoteString(value.replace(/\\(.)/g, '$1')) : value;
}

/** Whether a number, such as 5.0, has another form than most values: filters compare text. */
export function isUnusual(value: string): boolean {
  return isNumberText(value) && value !== String(Number(value));
}

/** A filter for one of several values. In quotes, `*` is a character, unless values are patterns. */
export function oneOf(
  field: string,
  values: readonly string[],
  options: { not?: string; arePatterns?: boolean; ignoresCase?: boolean } = {},
): string {
  const { not = '', arePatterns = false } = options;
  const ignoresCase = options.ignoresCase === true && values.some((value) => /\p{L}/u.test(value));
  if (values.length === 0 || values.some(isUnusual)) return '';
  if (arePatterns || values.every((value) => exactly(value) === value)) {
    const written = values.map((value) => (/^[^"']*\\/.test(value) ? quoteString(contentOf(value)) : value));
    return `${not}in(${field}, values=[${written.join(', ')}]${ignoresCase ? ', ignoreCase=true' : ''})`;
  }
  const body = values.map((value) => escapeRegex(contentOf(value))).join('|');
  return `${field}${not}=${wholeValue(`(?:${body})`, ignoresCase ? 'i' : '')}`;
}

/** A regular expression for a term, or its start or end: elsewhere, no letter or digit continues it. */
export function asTerm(content: string, side = '', ignoresCase = true, inside = /[a-z0-9]/i): string {
  const others = `[^a-z${ignoresCase ? '' : 'A-Z'}0-9]`;
  const isInside = (edge: string | undefined) => inside.test(edge ?? '');
  const before = side !== 'hassuffix' && isInside(content[0]) ? `(?:^|${others})` : '';
  const after = side !== 'hasprefix' && isInside(content.at(-1)) ? `(?:${others}|$)` : '';
  return `${before}${escapeRegex(content)}${after}`;
}

/** A regular expression without `.*` at its ends, in which a dot is any character: values can have several lines. */
function trimmedRegex(body: string, flags: string): string {
  const text = body.replace(/^(?:\\A)?\.\*|\.\*(?:\\z)?$/g, '');
  return regexLiteral(text, text.replace(/\\./gs, '').includes('.') ? `${flags}d` : flags);
}

/** The right side of `field=` for a whole value: `^` and `$` would match at each of its lines. */
export function wholeValue(body: string, flags = ''): string {
  return trimmedRegex(`\\A${body}\\z`, flags);
}

/** A regular expression of a language in which `^` and `$` are the ends of the text, not of lines. */
export function ofWholeText(regex: string, end = '\\Z'): string {
  if (/^"?\(\?\w*m/.test(regex)) return regex;
  return regex.replace(
    /\\.|\[\^?(?:\\.|[^\]\\])*\]|[$^]/gs,
    (part) => ({ '^': '\\A', $: end })[part] ?? part,
  );
}

/** A term to search for without case, in which `*` is any text. `?` is itself, or what `mark` says. */
export function term(text: string, mark = '\\?', inside?: RegExp): string {
  const content = contentOf(text);
  if (/^\**$/.test(content)) return text;
  return trimmedRegex(asTerm(content, '', true, inside).replaceAll('\\*', '.*').replaceAll('\\?', mark), 'i');
}

/** A value to compare without case, in which `*` is any text. */
export function anyCase(text: string): string {
  const content = contentOf(text);
  if (!/\p{L}/u.test(content)) return /^@?["']/.test(text) ? quoted(text) : text;
  return wholeValue(escapeRegex(content).replaceAll('\\*', '.*'), 'i');
}

/** A pattern of `LIKE`: `%` is any text, and `_` any character. Empty with escapes, which databases read differently. */
export function like(text: string, ignoresCase = false): string {
  const content = contentOf(text);
  if (content.includes('\\')) return '';
  if (!ignoresCase && !/[_*]/.test(content)) return quoteString(content.replaceAll('%', '*'));
  return wholeValue(escapeRegex(content).replaceAll('%', '.*').replaceAll('_', '.'), ignoresCase ? 'i' : '');
}

/** `=~` compares without case in KQL, and matches a regex elsewhere. A dot is only a dot in the name of a program. */
export function equalOrRegex(text: string): string {
  const content = contentOf(text);
  const isName = /^[\w -]+(?:\.(?:exe|dll|ps1|bat|cmd|vbs|js|com|sys|msi|scr))?$/i.test(content);
  return isName ? comparand(text, 'equals', true) : regexLiteral(ofWholeText(content));
}
