import { shortenText } from '../../core/shorten-text.ts';

/** Control characters, fillers, and invisible characters that change the direction of text or join characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;
const INVISIBLE_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** Terminal colors and styles, which don't change the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Escape sequences start with a control character.
const STYLES = /\u001b\[[\d;:]*m/g;
/** Joiners that a script or an emoji needs. Elsewhere, they make different strings look the same. */
const NEEDED_JOINER =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}]\p{M}*)[\u200C\u200D]/gu;

/** Text of a record on one line: invisible characters are replaced with visible ones, and long text is cut. */
export function lineText(text: string, maxLength = 400): string {
  return shown(shortenText(text.replace(STYLES, ''), maxLength), INVISIBLE);
}

/** The first line of a string, and a mark if it has more. */
export function firstLine(text: string, maxLength?: number): string {
  const [first = '', ...more] = text.trim().split(/\r?\n/, 2);
  return more.length === 0 ? lineText(text, maxLength) : `${lineText(first, maxLength)} ↵…`;
}

/** Like {@link lineText}, but keeps newlines and tabs. */
export function blockText(text: string, maxLength = 4000): string {
  return shown(shortenText(text.replace(STYLES, ''), maxLength), INVISIBLE_BUT_LINES);
}

/** Like {@link blockText}, but keeps terminal colors. */
export function rawText(text: string, maxLength: number): string {
  return shown(shortenText(text, maxLength), INVISIBLE_BUT_LINES);
}

function shown(text: string, invisible: RegExp): string {
  const needed = new Set([...text.matchAll(NEEDED_JOINER)].map(({ index }) => index));
  return text.replace(invisible, (character, index: number) =>
    needed.has(index) ? character : visible(character),
  );
}

function visible(character: string): string {
  const code = character.codePointAt(0)!;
  if (character === '\n') return '↵';
  if (character === '\t') return '⇥';
  // The Unicode block "Control Pictures" has the order of ASCII.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
