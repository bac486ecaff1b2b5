import { LogOptionsException } from '../../../core/errors.ts';

/** A regular expression in the service's syntax, which is close to Java's. */
export interface RegexText {
  readonly body: string;
  /** `i`, `m`, `d` (dot matches newline), `g` (one event per match). */
  readonly flags: string;
}

const FLAGS: Readonly<Record<string, string>> = { i: 'i', m: 'm', s: 'd', g: 'g', u: '' };

/** An escape, the class of all characters, the start of another, a quantifier, or a character. */
const PART =
  /\\(?:c[A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|[pP]\{\w+\}|k<[^>]+>|[1-9]\d*|.)|\[(?:\\s\\S|\\S\\s)\]|\[\^?\]?|\{\d+(?:,\d*)?\}|./gs;
/** Escapes with the same meaning in both. */
const SHARED_ESCAPE = /^\\(?:[dDwWsSbBtnrf]|[cxuk].+|[1-9]\d*|[^A-Za-z0-9])$/s;
/** The service has only ASCII white space. */
const SPACES = '\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
/** Escapes with another meaning in a class. */
const IN_CLASS: Readonly<Record<string, string>> = { '\\b': '\\x08', '\\B': '', '\\s': SPACES, '\\S': '' };
const OTHER_NAMES: Readonly<Record<string, string>> = {
  '\\v': '\\x0b',
  '\\0': '\\x00',
  '\\s': `[${SPACES}]`,
  '\\S': `[^${SPACES}]`,
};
/** Other parts that are written differently, outside of classes: always, and without the flag `m`. */
const OTHER_PARTS: Readonly<Record<string, string>> = { '[^]': '[\\s\\S]', '{': '\\{' };
const ENDS: Readonly<Record<string, string>> = { '^': '\\A', $: '\\z' };

/**
 * Converts a JavaScript expression and keeps its meaning: without the flag `m`, `^` and `$` match only at the ends of
 * the text, while the service would match at lines.
 *
 * @throws LogOptionsException for features that the service lacks.
 */
export function regexText(regex: RegExp): RegexText {
  const flags = [...regex.flags].map((flag) => {
    const translated = FLAGS[flag];
    if (translated === undefined) fail(regex, `the flag "${flag}" exists in JavaScript only`);
    return translated;
  });
  return { body: bodyOf(regex), flags: flags.join('') };
}

function bodyOf(regex: RegExp): string {
  let isInClass = false;
  let groups = 0;
  return regex.source.replace(PART, (part, offset: number, source: string) => {
    if (Number(part.slice(1)) > groups) fail(regex, `"${part}" precedes its group`);
    if (!isInClass && /^\((?:[^?]|\?<[^=!])/.test(source.slice(offset, offset + 4))) groups++;
    if (part.startsWith('\\')) return escapeOf(regex, part, isInClass);
    if (isInClass) {
      isInClass = !part.endsWith(']');
      // Java reads `[` as a nested class, and `&&` as an intersection.
      return part.replaceAll(/[[&/]/g, '\\$&');
    }
    if (part === '[]') fail(regex, '"[]" exists in JavaScript only');
    isInClass = part === '[' || part === '[^';
    return (regex.multiline ? undefined : ENDS[part]) ?? OTHER_PARTS[part] ?? part;
  });
}

function escapeOf(regex: RegExp, part: string, isInClass: boolean): string {
  const isUnicode = /^\\(?:[pP]|u)\{/.test(part);
  const isKnown = isUnicode ? regex.unicode : part in OTHER_NAMES || SHARED_ESCAPE.test(part);
  const text = (isInClass ? IN_CLASS[part] : undefined) ?? (isKnown ? part : '');
  if (text === '') fail(regex, `"${part.slice(0, 2)}" has a different meaning there, or none`);
  return OTHER_NAMES[text] ?? text.replace(/^\\u\{/, '\\x{');
}

function fail(regex: RegExp, problem: string): never {
  throw new LogOptionsException(
    `lql: LogScale can't match ${String(regex)} the way JavaScript does: ${problem}. Rewrite it, or pass it as text with lql.raw().`,
  );
}
