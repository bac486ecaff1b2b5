import { LogOptionsException } from '../../../core/errors.ts';

/** A regular expression in the service's syntax, which is close to Java's. */
export interface RegexText {
  readonly body: string;
  /** `i`, `m`, `d` (dot matches newline), `g` (one event per match). */
  readonly flags: string;
}

const FLAGS: Readonly<Record<string, string>> = { i: 'i', m: 'm', s: 'd', g: 'g', u: '' };

/** Escapes with the same meaning in both. */
const SHARED_ESCAPE =
  /\\(?:[dDwWsSbBtnrf]|c[A-Za-z]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|k<[^>]+>|[1-9]\d*|[^A-Za-z0-9])/y;
const UNICODE_ESCAPE = /\\(?:[pP]\{\w+\}|u\{[\dA-Fa-f]+\})/y;
/** Escapes with another meaning in a class. */
const IN_CLASS: Readonly<Record<string, string>> = { '\\b': '\\x08', '\\B': '' };
const OTHER_NAMES: Readonly<Record<string, string>> = { '\\v': '\\x0b', '\\0': '\\x00' };
const QUANTIFIER = /\{\d+(?:,\d*)?\}/y;

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
  return { body: new RegexTranslation(regex).body, flags: flags.join('') };
}

class RegexTranslation {
  readonly #regex: RegExp;
  readonly #source: string;
  #position = 0;
  #isInClass = false;
  body = '';

  constructor(regex: RegExp) {
    this.#regex = regex;
    this.#source = regex.source;
    while (this.#position < this.#source.length) this.#next();
  }

  #next(): void {
    const character = this.#source[this.#position]!;
    if (character === '\\') this.#escape();
    else if (this.#isInClass) this.#inClass(character);
    else this.#outsideClass(character);
  }

  #put(text: string, length = 1): void {
    this.body += text;
    this.#position += length;
  }

  /** In a class, Java reads `[` as a nested class, and `&&` as an intersection. */
  #inClass(character: string): void {
    if (character === ']') this.#isInClass = false;
    this.#put('[&/'.includes(character) ? `\\${character}` : character);
  }

  #outsideClass(character: string): void {
    if (character === '[') this.#openClass();
    else if (character === '^') this.#put(this.#regex.multiline ? '^' : '\\A');
    else if (character === '$') this.#put(this.#regex.multiline ? '$' : '\\z');
    else if (character === '{' && this.#match(QUANTIFIER) === undefined) this.#put('\\{');
    else this.#put(character);
  }

  #openClass(): void {
    if (this.#match(/\[\]/y) !== undefined) fail(this.#regex, '"[]" exists in JavaScript only');
    const everything = this.#match(/\[\^\]/y);
    const opening = this.#match(/\[\^?/y)!;
    this.#isInClass = everything === undefined;
    this.#put(everything === undefined ? opening : '[\\s\\S]', (everything ?? opening).length);
  }

  #escape(): void {
    const { unicode } = this.#regex;
    const two = this.#source.slice(this.#position, this.#position + 2);
    const text =
      (this.#isInClass ? IN_CLASS[two] : undefined) ??
      this.#match(SHARED_ESCAPE) ??
      (unicode ? this.#match(UNICODE_ESCAPE) : undefined) ??
      this.#match(/\\(?:v|0)/y);
    if (text === undefined || text === '') {
      fail(this.#regex, `"${two}" has a different meaning there, or none`);
    }
    this.#put(OTHER_NAMES[text] ?? text.replace(/^\\u\{/, '\\x{'), text === '\\x08' ? 2 : text.length);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#source)?.[0];
  }
}

function fail(regex: RegExp, problem: string): never {
  throw new LogOptionsException(
    `lql: LogScale can't match ${String(regex)} the way JavaScript does: ${problem}. Rewrite it, or pass it as text with lql.raw().`,
  );
}
