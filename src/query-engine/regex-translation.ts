import { readClass } from './regex-class.ts';
import { RegexError } from './regex-error.ts';
import { otherCase, quoteCharacter, readEscape } from './regex-escape.ts';

/** The modes that flags switch: `i`, `m` and `d` (also written `s`). */
export interface RegexModes {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

export interface NamedGroup {
  readonly name: string;
  /** Its place in the result of `exec`. */
  readonly index: number;
}

export interface TranslatedRegex {
  readonly source: string;
  readonly flags: string;
  readonly groups: readonly NamedGroup[];
  /** Named and numbered ones. */
  readonly groupCount: number;
}

/** Marks whose spelling depends on which others occur; see `finish`. */
type Mark = 'lineStart' | 'lineEnd' | 'textStart' | 'textEnd';
type Piece = string | { readonly mark: Mark };

const PLAIN_ESCAPES: Partial<Record<string, Piece>> = {
  A: { mark: 'textStart' },
  z: { mark: 'textEnd' },
  b: '\\b',
  B: '\\B',
  R: '(?:\\r\\n|[\\n\\v\\f\\r\\x85\\u2028\\u2029])',
};
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})/y;

/**
 * Translates a regular expression of the service (close to Java's) to JavaScript's.
 *
 * Named groups become numbered ones: their names can hold dots, `@` and brackets, and may be used twice. Inline
 * flags in the middle are worked into the pattern, because JavaScript's have reached few runtimes.
 *
 * @throws RegexError for what can't be expressed.
 */
export function translateRegex(body: string, modes: RegexModes): TranslatedRegex {
  const [, letters = ''] = /^\(\?([imsd]+)\)/.exec(body) ?? [];
  const start = letters === '' ? 0 : letters.length + 3;
  const initial = { ...modes, ...readModes(letters, true) };
  // When only a part ignores case, letters are spelled out as [aA] and the flag stays off.
  const spellOutCase = /\(\?[a-z]*(?:i|-[a-z]*i)[a-z]*[:)-]/.test(body.slice(start));
  return new Translation(body, initial, spellOutCase).run(start);
}

function readModes(letters: string, on: boolean): Partial<RegexModes> {
  return {
    ...(letters.includes('i') && { ignoreCase: on }),
    ...(letters.includes('m') && { multiline: on }),
    ...(/[sd]/.test(letters) && { dotAll: on }),
  };
}

class Translation {
  readonly #body: string;
  readonly #spellOutCase: boolean;
  readonly #ignoreCase: boolean;
  readonly #pieces: Piece[] = [];
  readonly #groups: NamedGroup[] = [];
  /** The modes around each open group. */
  readonly #outerModes: RegexModes[] = [];
  #modes: RegexModes;
  #groupCount = 0;
  #position = 0;
  #needsUnicode = false;

  constructor(body: string, modes: RegexModes, spellOutCase: boolean) {
    this.#body = body;
    this.#modes = modes;
    this.#spellOutCase = spellOutCase;
    this.#ignoreCase = modes.ignoreCase && !spellOutCase;
  }

  run(start: number): TranslatedRegex {
    this.#position = start;
    while (this.#position < this.#body.length) this.#readNext();
    if (this.#outerModes.length > 0) throw new RegexError('a group is not closed');
    return this.#finish();
  }

  /** Lines are the default meaning of `^` and `$`; the ends of the text only need look-arounds when both occur. */
  #finish(): TranslatedRegex {
    const marks = new Set(this.#pieces.map((piece) => (typeof piece === 'string' ? '' : piece.mark)));
    const multiline = marks.has('lineStart') || marks.has('lineEnd');
    const spelling: Readonly<Record<Mark, string>> = {
      lineStart: '^',
      lineEnd: '$',
      textStart: multiline ? '(?<![^])' : '^',
      textEnd: multiline ? '(?![^])' : '$',
    };
    const source = this.#pieces
      .map((piece) => (typeof piece === 'string' ? piece : spelling[piece.mark]))
      .join('');
    const flags = `${this.#ignoreCase ? 'i' : ''}${multiline ? 'm' : ''}${this.#needsUnicode ? 'u' : ''}`;
    return { source, flags, groups: this.#groups, groupCount: this.#groupCount };
  }

  #readNext(): void {
    const character = String.fromCodePoint(this.#body.codePointAt(this.#position) ?? 0);
    switch (character) {
      case '\\':
        this.#readBackslash();
        break;
      case '[':
        this.#readClass();
        break;
      case '(':
        this.#openGroup();
        break;
      case ')':
        this.#closeGroup();
        break;
      case '^':
        this.#write({ mark: this.#modes.multiline ? 'lineStart' : 'textStart' }, 1);
        break;
      case '$':
        this.#write({ mark: this.#modes.multiline ? 'lineEnd' : 'textEnd' }, 1);
        break;
      case '.':
        this.#write(this.#modes.dotAll ? '[^]' : '.', 1);
        break;
      case '|':
        this.#write('|', 1);
        break;
      case '*':
      case '+':
      case '?':
      case '{':
        this.#readQuantifier(character);
        break;
      default:
        this.#writeCharacter(character);
        this.#position += character.length;
    }
  }

  #write(piece: Piece, length: number): void {
    this.#pieces.push(piece);
    this.#position += length;
  }

  #writeCharacter(character: string): void {
    if (character.length > 1) this.#needsUnicode = true;
    const other = this.#bothCases() ? otherCase(character) : undefined;
    this.#pieces.push(other === undefined ? quoteCharacter(character, false) : `[${character}${other}]`);
  }

  #readQuantifier(character: string): void {
    QUANTIFIER.lastIndex = this.#position;
    const quantifier = QUANTIFIER.exec(this.#body)?.[0];
    if (quantifier === undefined) {
      this.#write(quoteCharacter(character, false), 1);
      return;
    }
    this.#write(quantifier, quantifier.length);
    const next = this.#body[this.#position];
    if (next === '?') this.#write('?', 1);
    if (next === '+') throw new RegexError(`the possessive quantifier ${quantifier}+ is not supported`);
  }

  #readBackslash(): void {
    const letter = this.#body[this.#position + 1] ?? '';
    const plain = PLAIN_ESCAPES[letter];
    if (plain !== undefined) this.#write(plain, 2);
    else if (letter === 'Q') this.#readQuotation();
    else if (letter === 'Z') this.#writeEndBeforeLineBreak();
    else if (letter === 'k') this.#readNamedReference();
    else if (/[1-9]/.test(letter)) this.#write(`(?:\\${letter})`, 2);
    else this.#readCharacterEscape();
  }

  #readCharacterEscape(): void {
    const member = readEscape(this.#body, this.#position);
    if ('character' in member) this.#writeCharacter(member.character);
    else this.#pieces.push(this.#isolateSet(member.set));
    this.#position = member.end;
  }

  #writeEndBeforeLineBreak(): void {
    this.#pieces.push('(?=\\n?', { mark: 'textEnd' });
    this.#write(')', 2);
  }

  #isolateSet(set: string): string {
    if (/^\\[pP]/.test(set)) this.#needsUnicode = true;
    return /^\\(?:[dDsSwW]|[pP]\{\w+\})$/.test(set) ? set : `[${set}]`;
  }

  #readQuotation(): void {
    const start = this.#position + 2;
    const close = this.#body.indexOf('\\E', start);
    const end = close === -1 ? this.#body.length : close;
    for (const character of this.#body.slice(start, end)) this.#writeCharacter(character);
    this.#position = close === -1 ? end : end + 2;
  }

  #readNamedReference(): void {
    const reference = /\\k<([^>]+)>/y;
    reference.lastIndex = this.#position;
    const match = reference.exec(this.#body);
    const group = this.#groups.find(({ name }) => name === match?.[1]);
    if (match === null || group === undefined) throw new RegexError('\\k refers to no group before it');
    this.#write(`(?:\\${group.index})`, match[0].length);
  }

  #openGroup(): void {
    const opening = /\((?:\?(?:P?<([^=!>][^>]*)>|([a-z]*)(?:-([a-z]+))?([:)])|(<?[=!])|(>)))?/y;
    opening.lastIndex = this.#position;
    const match = opening.exec(this.#body);
    const [whole = '(', name, on = '', off = '', colonOrEnd, look, atomic] = match ?? [];
    if (whole === '(' && this.#body[this.#position + 1] === '?') {
      throw new RegexError(
        `the group (${this.#body.slice(this.#position + 1, this.#position + 4)}… is not supported`,
      );
    }
    if (atomic !== undefined) throw new RegexError('atomic groups (?>…) are not supported');
    if (/[^imsd]/.test(on + off)) throw new RegexError(`the inline flags in ${whole} are not supported`);
    const inner = { ...this.#modes, ...readModes(on, true), ...readModes(off, false) };
    if (colonOrEnd === ')') {
      this.#modes = inner;
      this.#position += whole.length;
      return;
    }
    this.#outerModes.push(this.#modes);
    this.#modes = inner;
    const isCapturing = look === undefined && colonOrEnd === undefined;
    if (isCapturing) this.#groupCount += 1;
    if (name !== undefined) this.#groups.push({ name, index: this.#groupCount });
    this.#write(isCapturing ? '(' : `(?${look ?? ':'}`, whole.length);
  }

  #closeGroup(): void {
    const modes = this.#outerModes.pop();
    if (modes === undefined) throw new RegexError('there is a ) without its (');
    this.#modes = modes;
    this.#write(')', 1);
  }

  #readClass(): void {
    const { source, end, needsUnicode } = readClass(this.#body, this.#position, this.#bothCases());
    this.#pieces.push(source);
    this.#position = end;
    this.#needsUnicode ||= needsUnicode;
  }

  #bothCases(): boolean {
    return this.#spellOutCase && this.#modes.ignoreCase;
  }
}
